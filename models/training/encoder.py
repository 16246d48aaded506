"""The MPNet encoder in torch, as training wants it: texts in, unit vectors out, little padding, rows updated sparsely."""

import json
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

from mpnet_graph import relative_buckets

WORDS = "embeddings.word_embeddings.weight"
MAX_TOKENS = 64


class Encoder(torch.nn.Module):
    """Dense weights are parameters; the word table is a plain tensor, updated row by row (see `Rows`)."""

    def __init__(self, folder: Path, dropout: float = 0.0):
        super().__init__()
        self.config = json.loads((folder / "config.json").read_text())
        weights = {name: torch.from_numpy(value) for name, value in load_file(folder / "model.safetensors").items()}
        self.words = weights.pop(WORDS)
        self.names = {name.replace(".", "__"): name for name in weights}
        self.dense = torch.nn.ParameterDict({key: torch.nn.Parameter(weights[name]) for key, name in self.names.items()})
        self.tokenizer_text = (folder / "tokenizer.json").read_text(encoding="utf-8")
        self.tokenizer = Tokenizer.from_str(self.tokenizer_text)
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)
        self.dropout = dropout
        self.known_ids = {}
        longest = MAX_TOKENS
        distance = np.arange(longest)[None, :] - np.arange(longest)[:, None]
        self.buckets = torch.from_numpy(relative_buckets(distance, self.config["relative_attention_num_buckets"]))

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        weights = {self.names[key]: value.detach().numpy() for key, value in self.dense.items()}
        weights[WORDS] = self.words.numpy()
        save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
        (folder / "config.json").write_text(json.dumps(self.config, indent=2) + "\n")
        (folder / "tokenizer.json").write_text(self.tokenizer_text, encoding="utf-8")

    def weight(self, name: str) -> torch.Tensor:
        return self.dense[name.replace(".", "__")]

    def ids(self, texts: list[str]) -> list[list[int]]:
        missing = [text for text in dict.fromkeys(texts) if text not in self.known_ids]
        if missing:
            self.known_ids.update(zip(missing, (e.ids for e in self.tokenizer.encode_batch(missing))))
        return [self.known_ids[text] for text in texts]

    def linear(self, name: str, value: torch.Tensor) -> torch.Tensor:
        return F.linear(value, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"))

    def norm(self, name: str, value: torch.Tensor) -> torch.Tensor:
        width = (self.config["hidden_size"],)
        return F.layer_norm(value, width, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"),
                            self.config["layer_norm_eps"])

    def drop(self, value: torch.Tensor) -> torch.Tensor:
        return F.dropout(value, self.dropout, self.training) if self.dropout else value

    def forward(self, embedded: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Unit vectors of a padded batch; `embedded` are word rows [batch, tokens, hidden], `mask` is boolean."""
        batch, tokens, hidden = embedded.shape
        heads = self.config["num_attention_heads"]
        positions = self.weight("embeddings.position_embeddings.weight")[2:2 + tokens]
        x = self.drop(self.norm("embeddings.LayerNorm", embedded + positions))
        bias = self.weight("encoder.relative_attention_bias.weight")[self.buckets[:tokens, :tokens]].permute(2, 0, 1)[None]
        bias = bias + torch.where(mask, 0.0, -1e4)[:, None, None, :]
        for index in range(self.config["num_hidden_layers"]):
            layer = f"encoder.layer.{index}"
            q, k, v = (self.linear(f"{layer}.attention.attn.{part}", x).view(batch, tokens, heads, -1).transpose(1, 2)
                       for part in "qkv")
            scores = q @ k.transpose(2, 3) / math.sqrt(hidden / heads) + bias
            attended = (scores.softmax(-1).to(v.dtype) @ v).transpose(1, 2).reshape(batch, tokens, hidden)
            x = self.norm(f"{layer}.attention.LayerNorm", self.drop(self.linear(f"{layer}.attention.attn.o", attended)) + x)
            wide = F.gelu(self.linear(f"{layer}.intermediate.dense", x))
            x = self.norm(f"{layer}.output.LayerNorm", self.drop(self.linear(f"{layer}.output.dense", wide)) + x)
        x = x.float() * mask[..., None]
        return F.normalize(x.sum(1) / mask.sum(1, keepdim=True), dim=-1)


class Rows:
    """Adam on the rows of the word table that a step touched; `rates` is one learning-rate factor a row."""

    def __init__(self, table: torch.Tensor, rates: torch.Tensor):
        self.table, self.rates = table, rates
        self.first, self.second = torch.zeros_like(table), torch.zeros_like(table)
        self.count = torch.zeros(len(table))

    def update(self, rows: torch.Tensor, gradient: torch.Tensor, rate: float) -> None:
        self.count[rows] += 1
        first = self.first[rows].mul_(0.9).add_(gradient, alpha=0.1)
        second = self.second[rows].mul_(0.98).addcmul_(gradient, gradient, value=0.02)
        self.first[rows], self.second[rows] = first, second
        age = self.count[rows][:, None]
        step = first / (1 - 0.9 ** age) / ((second / (1 - 0.98 ** age)).sqrt() + 1e-8)
        self.table[rows] -= rate * self.rates[rows][:, None] * step

    def state(self) -> dict:
        return {"first": self.first, "second": self.second, "count": self.count}

    def load(self, state: dict) -> None:
        self.first, self.second, self.count = state["first"], state["second"], state["count"]


class Step:
    """One optimisation step: encode as many texts as wanted, then `finish` with the loss."""

    def __init__(self, encoder: Encoder):
        self.encoder, self.leaves = encoder, []

    def encode(self, texts: list[str], chunk_tokens: int = 1024) -> torch.Tensor:
        """Unit vectors of texts, in order; equal texts share one row, lengths are kept together."""
        with torch.autocast("cpu", torch.bfloat16):  # one context, so that the matrices are rounded once
            return self.encode_rounded(texts, chunk_tokens)

    def encode_rounded(self, texts: list[str], chunk_tokens: int) -> torch.Tensor:
        unique = list(dict.fromkeys(texts))
        place = {text: index for index, text in enumerate(unique)}
        ids = self.encoder.ids(unique)
        order = sorted(range(len(unique)), key=lambda index: len(ids[index]))
        flat, inverse = torch.unique(torch.tensor([i for index in order for i in ids[index]]), return_inverse=True)
        leaf = self.encoder.words[flat]
        if torch.is_grad_enabled():
            leaf.requires_grad_()
            self.leaves.append((flat, leaf))
        vectors, start, at = [], 0, 0
        while start < len(order):
            end, longest = start, 0
            while end < len(order) and (end == start or len(ids[order[end]]) * (end - start + 1) <= chunk_tokens):
                longest = len(ids[order[end]])
                end += 1
            lengths = torch.tensor([len(ids[order[index]]) for index in range(start, end)])
            mask = torch.arange(longest)[None] < lengths[:, None]
            padded = torch.zeros(mask.shape, dtype=torch.long)
            total = int(lengths.sum())
            padded[mask] = inverse[at:at + total]
            vectors.append(self.encoder(F.embedding(padded, leaf), mask))
            start, at = end, at + total
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(vectors).float()[back[torch.tensor([place[text] for text in texts])]]

    def finish(self, loss: torch.Tensor, dense: torch.optim.Optimizer, rows: Rows, rate_at, peers, clock: float) -> float:
        """Updates the weights; `rate_at` gives the learning rate by the clock that all processes go by, returned here."""
        dense.zero_grad(set_to_none=True)
        loss.backward()
        clock = peers.average(self.encoder, clock)
        torch.nn.utils.clip_grad_norm_(self.encoder.dense.parameters(), 1.0)
        rate = rate_at(clock)
        for group in dense.param_groups:
            group["lr"] = rate
        dense.step()
        with torch.no_grad():
            touched = torch.cat([flat for flat, _ in self.leaves])
            gradient = torch.cat([leaf.grad if leaf.grad is not None else torch.zeros_like(leaf) for _, leaf in self.leaves])
            rows.update(*peers.gather_rows(touched, gradient), rate)
        return clock


def optimizer(encoder: Encoder, decay: float) -> torch.optim.Optimizer:
    matrices = [p for n, p in encoder.dense.items() if p.ndim > 1 and "position" not in n and "relative" not in n]
    others = [p for n, p in encoder.dense.items() if not (p.ndim > 1 and "position" not in n and "relative" not in n)]
    return torch.optim.AdamW([{"params": matrices, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}],
                             betas=(0.9, 0.98), eps=1e-8, fused=True)


def schedule(done: float, peak: float, warm: float = 0.06) -> float:
    """Warm-up, then a cosine to a twentieth; `done` runs from 0 to 1."""
    if done < warm:
        return peak * max(done / warm, 0.02)
    return peak * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * min(1.0, (done - warm) / (1 - warm)))))


@torch.no_grad()
def embed(encoder: Encoder, texts: list[str]) -> torch.Tensor:
    was = encoder.training
    encoder.eval()
    unique = list(dict.fromkeys(texts))
    vectors = torch.cat([Step(encoder).encode(unique[i:i + 2000], 4096) for i in range(0, len(unique), 2000)])
    encoder.train(was)
    place = {text: index for index, text in enumerate(unique)}
    return vectors[torch.tensor([place[text] for text in texts])]
