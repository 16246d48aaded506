"""The next-action model: a small transformer that reads a decision in words and says what a careful tester does next.

Every part of a decision (instruction, past, title, widget) is a segment. The encoder's lower layers read each segment alone, as the embedding model
does, and stay as they are; its upper layers read all segments together and are trained. Each widget gets a score, and so does each of MOVES.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F

from encoder import Encoder
from mpnet_graph import relative_buckets
from readings import MOVES, Reading

NOW, BEFORE, AFTER, PAST, TITLE, WIDGET = range(6)
KINDS = 6
LONGEST = {NOW: 48, BEFORE: 24, AFTER: 24, PAST: 16, TITLE: 12, WIDGET: 24}  # tokens
MOST_PAST = 8
MOST_ORDER = 80  # places of widgets that are told apart
MOST_TOKENS = 640
LOWER = 3  # layers
DROPOUT = 0.1
APART = -6.0


def segments(reading: Reading) -> list:
    """(kind, place, text) of every part, in the order in which the model reads them."""
    parts = [(NOW, 0, reading.instruction)]
    if reading.before:
        parts.append((BEFORE, 0, reading.before))
    if reading.after:
        parts.append((AFTER, 0, reading.after))
    past = reading.past[-MOST_PAST:]
    parts += [(PAST, len(past) - at - 1, text) for at, text in enumerate(past)]
    parts.append((TITLE, 0, reading.title or "-"))
    return parts + [(WIDGET, at, text or "-") for at, text in enumerate(reading.widgets)]


class Lower:
    """What the lower layers make of texts, kept."""

    def __init__(self, encoder: Encoder):
        self.encoder, self.known = encoder, {}
        distance = np.arange(64)[None, :] - np.arange(64)[:, None]
        self.buckets = torch.from_numpy(relative_buckets(distance, encoder.config["relative_attention_num_buckets"]))

    def ids(self, text: str, kind: int) -> list:
        ids = self.encoder.ids([text])[0]
        return ids if len(ids) <= LONGEST[kind] else ids[:LONGEST[kind] - 1] + ids[-1:]

    @torch.no_grad()
    def learn(self, wanted: list) -> None:
        """Computes what is not known yet of (text, kind)."""
        missing = [key for key in dict.fromkeys(wanted) if key not in self.known]
        ids = {key: self.ids(*key) for key in missing}
        missing.sort(key=lambda key: len(ids[key]))
        for start in range(0, len(missing), 128):
            some = missing[start:start + 128]
            longest = max(len(ids[key]) for key in some)
            padded = torch.ones(len(some), longest, dtype=torch.long)
            mask = torch.zeros(len(some), longest, dtype=torch.bool)
            for row, key in enumerate(some):
                padded[row, :len(ids[key])] = torch.tensor(ids[key])
                mask[row, :len(ids[key])] = True
            states = self.run(padded, mask).half()
            for row, key in enumerate(some):
                self.known[key] = states[row, :len(ids[key])].clone()

    def run(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        encoder, (batch, tokens) = self.encoder, ids.shape
        x = encoder.norm("embeddings.LayerNorm", encoder.words[ids] + encoder.weight("embeddings.position_embeddings.weight")[2:2 + tokens])
        bias = encoder.weight("encoder.relative_attention_bias.weight")[self.buckets[:tokens, :tokens]].permute(2, 0, 1)[None]
        bias = bias + torch.where(mask, 0.0, -1e4)[:, None, None, :]
        for layer in range(LOWER):
            x = attend(encoder.weight, layer, x, bias, encoder.config)
        return x


def attend(weight, layer: int, x: torch.Tensor, bias: torch.Tensor, config: dict, dropout: float = 0.0) -> torch.Tensor:
    """One layer of the encoder."""
    name, (batch, tokens, hidden), heads = f"encoder.layer.{layer}", x.shape, config["num_attention_heads"]

    def linear(part, value):
        return F.linear(value, weight(f"{name}.{part}.weight"), weight(f"{name}.{part}.bias"))

    def norm(part, value):
        return F.layer_norm(value, (hidden,), weight(f"{name}.{part}.weight"), weight(f"{name}.{part}.bias"), config["layer_norm_eps"])

    q, k, v = (linear(f"attention.attn.{part}", x).view(batch, tokens, heads, -1).transpose(1, 2) for part in "qkv")
    attended = F.scaled_dot_product_attention(q, k, v, attn_mask=bias.expand(batch, heads, -1, tokens))
    attended = attended.transpose(1, 2).reshape(batch, tokens, hidden)
    x = norm("attention.LayerNorm", F.dropout(linear("attention.attn.o", attended), dropout) + x)
    return norm("output.LayerNorm", F.dropout(linear("output.dense", F.gelu(linear("intermediate.dense", x))), dropout) + x)


class NextAction(torch.nn.Module):
    def __init__(self, encoder: Encoder):
        super().__init__()
        self.config, hidden = encoder.config, encoder.config["hidden_size"]
        own = {name: value for name, value in ((name, encoder.weight(name).detach().clone()) for name in encoder.names.values())
               if any(name.startswith(f"encoder.layer.{layer}.") for layer in range(LOWER, self.config["num_hidden_layers"]))}
        self.layers = torch.nn.ParameterDict({name.replace(".", "__"): torch.nn.Parameter(value) for name, value in own.items()})
        self.kinds = torch.nn.Parameter(0.02 * torch.randn(KINDS, hidden))
        self.places = torch.nn.Parameter(0.02 * torch.randn(2, MOST_ORDER, hidden))  # of what was done, of widgets
        # Segments begin by hardly looking at each other, so that training starts from what the encoder can do with each alone.
        self.across = torch.nn.Parameter(torch.full((self.config["num_attention_heads"], KINDS, KINDS), APART))
        self.asked, self.offered = torch.nn.Linear(hidden, hidden), torch.nn.Linear(hidden, hidden)
        for one in (self.asked, self.offered):
            torch.nn.init.eye_(one.weight)
            torch.nn.init.zeros_(one.bias)
        self.scale = torch.nn.Parameter(torch.tensor(20.0))
        self.join = torch.nn.Linear(2 * hidden, hidden)
        self.widget = torch.nn.Linear(hidden, 1)
        self.move = torch.nn.Sequential(torch.nn.Linear(hidden, hidden), torch.nn.GELU(), torch.nn.Linear(hidden, len(MOVES)))
        torch.nn.init.zeros_(self.widget.weight)
        # Within a segment the encoder's own bias holds, by distance from −31 to 31.
        buckets = relative_buckets(np.arange(-31, 32)[None], self.config["relative_attention_num_buckets"])[0]
        self.register_buffer("near", encoder.weight("encoder.relative_attention_bias.weight").detach()[torch.from_numpy(buckets)].T.clone())

    def weight(self, name: str) -> torch.Tensor:
        return self.layers[name.replace(".", "__")]

    def forward(self, states, kind, place, segment, offset, widgets: int):
        """Scores [batch, widgets] of widgets and [batch, moves].

        `states` [batch, tokens, hidden] are the lower layers'; `kind`, `place`, `segment`, `offset` [batch, tokens] tell of each token what it belongs
        to: the kind of part, its place among its kind, the segment, its place in it. Segment 0 is the instruction, 1 to `widgets` the widgets in
        order, what lies above are all others; −1 is padding.
        """
        batch, tokens, hidden = states.shape
        x = states + self.kinds[kind]
        x = x + torch.where((kind == PAST)[..., None], self.places[0][place], 0.0) + torch.where((kind == WIDGET)[..., None], self.places[1][place], 0.0)
        same = segment[:, :, None] == segment[:, None, :]
        distance = (offset[:, None, :] - offset[:, :, None]).clamp(-31, 31) + 31
        near = self.near[:, distance].transpose(0, 1)
        own = F.one_hot(kind, KINDS).to(x.dtype)
        far = own[:, None] @ self.across[None] @ own[:, None].transpose(2, 3)
        bias = torch.where(same[:, None], near, far)
        bias = bias + torch.where(segment >= 0, 0.0, -1e4)[:, None, None, :]
        for layer in range(LOWER, self.config["num_hidden_layers"]):
            x = attend(self.weight, layer, x, bias, self.config, DROPOUT if self.training else 0.0)
        # The mean of each segment's tokens.
        slot = torch.where((segment >= 0) & (segment <= widgets), segment, widgets + 1)
        share = F.one_hot(slot, widgets + 2).to(x.dtype)[..., :widgets + 1]
        means = share.transpose(1, 2) @ x / share.sum(1)[..., None].clamp_min(1.0)
        now, offered = means[:, 0], means[:, 1:]
        alike = (F.normalize(self.asked(now), dim=-1)[:, None] * F.normalize(self.offered(offered), dim=-1)).sum(-1)
        joined = F.gelu(self.join(torch.cat([offered, now[:, None].expand_as(offered)], -1)))
        return self.scale * alike + self.widget(joined)[..., 0], self.move(now)


class Batch:
    """Readings as the model takes them."""

    def __init__(self, readings: list, lower: Lower):
        self.readings = readings
        rows = [self.row(reading, lower) for reading in readings]
        self.widgets = max(row["widgets"] for row in rows)
        longest = max(len(row["kind"]) for row in rows)
        size = (len(rows), longest)
        self.kind, self.place, self.offset = (torch.zeros(size, dtype=torch.long) for _ in range(3))
        self.segment = torch.full(size, -1)
        self.states = torch.zeros(*size, rows[0]["states"].shape[1])
        self.shown = torch.zeros(len(rows), self.widgets, dtype=torch.bool)
        for at, row in enumerate(rows):
            length = len(row["kind"])
            self.kind[at, :length], self.place[at, :length] = torch.tensor(row["kind"]), torch.tensor(row["place"])
            self.offset[at, :length] = torch.tensor(row["offset"])
            segment = torch.tensor(row["segment"])
            self.segment[at, :length] = torch.where(segment >= 1000, segment - 1000 + self.widgets + 1, segment)
            self.states[at, :length] = row["states"].float()
            self.shown[at, :row["widgets"]] = True

    @staticmethod
    def row(reading: Reading, lower: Lower) -> dict:
        row = {"kind": [], "place": [], "segment": [], "offset": [], "widgets": 0}
        states, others = [], 0
        for kind, place, text in segments(reading):
            known = lower.known[text, kind]
            length = len(known)
            if kind == WIDGET and (len(row["kind"]) + length > MOST_TOKENS or place >= MOST_ORDER):
                break
            if kind == NOW:
                segment = 0
            elif kind == WIDGET:
                row["widgets"] = place + 1
                segment = place + 1
            else:
                segment, others = 1000 + others, others + 1
            row["kind"] += [kind] * length
            row["place"] += [min(place, MOST_ORDER - 1)] * length
            row["segment"] += [segment] * length
            row["offset"] += range(length)
            states.append(known)
        row["states"] = torch.cat(states)
        return row

    def scores(self, model: NextAction) -> torch.Tensor:
        """[batch, widgets + moves]; what is not there has −1e4."""
        widgets, moves = model(self.states, self.kind, self.place, self.segment, self.offset, self.widgets)
        return torch.cat([widgets.masked_fill(~self.shown, -1e4), moves], 1)

    def right(self) -> torch.Tensor:
        right = torch.zeros(len(self.readings), self.widgets + len(MOVES), dtype=torch.bool)
        for at, reading in enumerate(self.readings):
            for index in reading.right:
                if index < self.widgets and self.shown[at, index]:
                    right[at, index] = True
            for move in reading.moves:
                right[at, self.widgets + MOVES.index(move)] = True
        return right
