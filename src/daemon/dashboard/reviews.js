"use strict";
// What a person makes of runs that ended: approved, or a defect with a link. Loaded after base.js.

const DECISIONS = { approved: "approved", defect: "defect" };

// What is known of a review, in words.
function reviewWords(review) {
  const node = element("span", `review ${review.decision}`, element("b", "", DECISIONS[review.decision]), ` by ${review.person}, ${clock(review.at)}`);
  if (review.link) {
    const link = element("a", "", review.link.replace(/^https?:\/\//, ""));
    link.href = review.link;
    link.rel = "noopener noreferrer";
    link.target = "_blank";
    node.append(" · ", link);
  }
  if (review.comment) node.append(element("span", "comment", review.comment));
  return node;
}

// A form that judges these runs alike; `done` is called when all are judged, `failed` with what went wrong.
function reviewForm(runs, reviews, done, failed) {
  const known = runs.map((id) => reviews.get(id)).filter(Boolean);
  const form = element("form", "review-form");
  const field = (name, placeholder) => {
    const input = element("input", "");
    input.placeholder = placeholder;
    input.setAttribute("aria-label", name);
    input.value = known[0]?.[name] ?? "";
    return input;
  };
  const link = field("link", "https://… the defect");
  link.type = "url";
  const comment = field("comment", "comment");
  const all = runs.length > 1 ? ` all ${runs.length}` : "";
  const button = (text, kind, work) => {
    const node = element("button", kind, text);
    node.type = "button";
    node.addEventListener("click", async () => {
      if (!form.reportValidity()) return;
      node.disabled = true;
      try {
        for (const id of runs) await work(`runs/${encodeURIComponent(id)}/review`);
        await done();
      } catch (error) {
        failed(error);
      } finally {
        node.disabled = false;
      }
    });
    return node;
  };
  const judge = (decision) => (path) => api(path, { decision, link: link.value.trim(), comment: comment.value.trim() });
  form.append(link, comment, button(`Approve${all}`, "", judge("approved")), button(`Defect${all}`, "plain", judge("defect")));
  if (known.length === runs.length) form.append(button("Take back", "plain", (path) => api(`${path}/withdraw`, null)));
  form.addEventListener("submit", (event) => event.preventDefault());
  const distinct = [...new Map(known.map((review) => [`${review.decision}\n${review.link}\n${review.comment}\n${review.person}`, review])).values()];
  const decisions = [...new Set(known.map((review) => DECISIONS[review.decision]))].join(", ");
  const words = known.length ? `Reviewed${runs.length > 1 ? ` ${known.length} of ${runs.length}` : ""}: ${decisions}` : "Review";
  const folded = element("details", "reviewing", element("summary", "", words), ...distinct.map(reviewWords), form);
  folded.open = known.length > 0 && (runs.length === 1 || known.length < runs.length);
  return folded;
}
