(function () {
  "use strict";
  var all = function (selector, within) { return Array.prototype.slice.call((within || document).querySelectorAll(selector)); };
  var frames = all(".frame"), strip = document.getElementById("strip"), at = -1, pane = "happened";
  if (!frames.length) { return; }
  document.documentElement.classList.add("js");
  var thumbs = frames.map(function (frame, n) {
    var button = document.createElement("button"), bar = document.createElement("span"), picture = frame.querySelector("img");
    var drawn = picture ? null : frame.querySelector(".drawn");
    button.type = "button";
    bar.className = "bar v-" + frame.dataset.verdict;
    var image = drawn ? drawn.cloneNode(true) : document.createElement(picture ? "img" : "span");
    if (picture) { image.src = picture.src; image.alt = ""; } else if (!drawn) { image.className = "blank"; }
    button.append(bar, image, frame.dataset.caption);
    button.addEventListener("click", function () { show(n); });
    strip.append(button);
    return button;
  });
  function show(n) {
    at = Math.max(0, Math.min(frames.length - 1, n));
    frames.forEach(function (frame, i) { frame.classList.toggle("on", i === at); });
    thumbs.forEach(function (thumb, i) { thumb.classList.toggle("on", i === at); });
    all(".deed").forEach(function (deed) { deed.classList.toggle("on", deed.hash === "#" + frames[at].id); });
    strip.scrollLeft = thumbs[at].offsetLeft - strip.offsetLeft - strip.clientWidth / 2 + 48;
    turn(pane);
  }
  function turn(name) {
    var frame = frames[at], has = frame.querySelector('[data-pane="' + name + '"]');
    var now = has ? name : "happened";
    all(".pane", frame).forEach(function (one) { one.classList.toggle("on", one.dataset.pane === now); });
    all(".tabs button", frame).forEach(function (one) { one.classList.toggle("on", one.dataset.tab === now); });
  }
  document.addEventListener("click", function (event) {
    var deed = event.target.closest(".deed"), tab = event.target.closest("[data-tab]");
    if (deed) {
      event.preventDefault();
      show(frames.findIndex(function (frame) { return "#" + frame.id === deed.hash; }));
    } else if (tab) { pane = tab.dataset.tab; turn(pane); }
  });
  document.addEventListener("keydown", function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey) { return; }
    if (event.key === "ArrowLeft") { show(at - 1); event.preventDefault(); }
    if (event.key === "ArrowRight") { show(at + 1); event.preventDefault(); }
  });
  // The smallest row of the tree that lies under the pointer on a picture.
  document.addEventListener("mousemove", function (event) {
    all(".tree .hit").forEach(function (row) { row.classList.remove("hit"); });
    var shot = event.target.closest(".frame .shot");
    if (!shot) { return; }
    var at = shot.getBoundingClientRect();
    var x = 100 * (event.clientX - at.left) / at.width, y = 100 * (event.clientY - at.top) / at.height;
    var side = function (row, name) { return Number(row.dataset[name]); };
    var area = function (row) { return side(row, "width") * side(row, "height"); };
    var under = all(".tree div", shot.closest(".frame")).filter(function (row) {
      var dx = x - side(row, "left"), dy = y - side(row, "top");
      return dx >= 0 && dy >= 0 && dx <= side(row, "width") && dy <= side(row, "height");
    });
    under.sort(function (one, other) { return area(one) - area(other); });
    if (under[0]) { under[0].classList.add("hit"); under[0].scrollIntoView({ block: "nearest" }); }
  });
  document.addEventListener("mouseover", function (event) {
    var row = event.target.closest(".tree div");
    all(".over").forEach(function (over) { over.style.display = "none"; });
    if (!row) { return; }
    var over = row.closest(".frame").querySelector(".over");
    if (!over) { return; }
    ["left", "top", "width", "height"].forEach(function (side) { over.style[side] = row.dataset[side] + "%"; });
    over.style.display = "block";
  });
  var named = frames.findIndex(function (frame) { return "#" + frame.id === location.hash; });
  var bad = frames.findIndex(function (frame) { return frame.dataset.verdict === "blocked" || frame.dataset.verdict === "failed"; });
  strip.parentElement.hidden = false;
  show(named >= 0 ? named : bad >= 0 ? bad : frames.length - 1);
})();
