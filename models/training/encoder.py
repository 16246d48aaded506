"""The MPNet encoder in torch, as training wants it: texts in, unit vectors out, little padding, rows updated sparsely.

It works on the CPU and on a GPU. With `rank`, the matrices stay as they are and low-rank products beside them are tuned (LoRA).
"""

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
FACTORS = "factors.safetensors"
LORA_SCALE = 2.0
LORA_FASTER = 8.0  # learning rate of the low-rank factors, in that of everything else
CHUNK_TOKENS = {"cpu": 1024, "cuda": 32_768}  # tokens that go through the network at once


def is_matrix(name: str) -> bool:
    """Of the layers, not of the embeddings or the attention's bias."""
    return name.startswith("encoder.layer.") and name.endswith(".weight") and "LayerNorm" not in name


class Encoder(torch.nn.Module):
    """Dense weights are parameters; the word table is a plain tensor, updated row by row (see `Rows`)."""

    def __init__(self, folder: Path, dropout: float = 0.0, device: str = "cpu", rank: int = 0):
        super().__init__()
        self.device = torch.device(device)
        self.config = json.loads((folder / "config.json").read_text())
        weights = {name: torch.from_numpy(value) for name, value in load_file(folder / "model.safetensors").items()}
        self.words = weights.pop(WORDS).to(self.device)
        self.names = {name.replace(".", "__"): name for name in weights}
        dense = {key: torch.nn.Parameter(weights[name].to(self.device)) for key, name in self.names.items()}
        self.frozen = {}
        if rank:
            self.frozen = {key: dense.pop(key).detach() for key, name in self.names.items() if is_matrix(name)}
            kept = folder / FACTORS
            known = {name: torch.from_numpy(value).to(self.device) for name, value in load_file(kept).items()} if kept.exists() else {}
            for key, matrix in self.frozen.items():
                (out, width), name = matrix.shape, self.names[key]
                first = known.get(f"{name}.a", torch.randn(rank, width, device=self.device) / math.sqrt(width))
                second = known.get(f"{name}.b", torch.zeros(out, rank, device=self.device))
                matrix -= LORA_SCALE * second @ first
                dense[f"{key}__a"], dense[f"{key}__b"] = torch.nn.Parameter(first), torch.nn.Parameter(second)
        self.dense = torch.nn.ParameterDict(dense)
        self.tokenizer_text = (folder / "tokenizer.json").read_text(encoding="utf-8")
        self.tokenizer = Tokenizer.from_str(self.tokenizer_text)
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)
        self.dropout = dropout
        self.known_ids = {}
        longest = MAX_TOKENS
        distance = np.arange(longest)[None, :] - np.arange(longest)[:, None]
        self.buckets = torch.from_numpy(relative_buckets(distance, self.config["relative_attention_num_buckets"])).to(self.device)

    @torch.no_grad()
    def merged(self, key: str) -> torch.Tensor:
        """A weight with its low-rank product, if it has one."""
        if key not in self.frozen:
            return self.dense[key].detach()
        return self.frozen[key] + LORA_SCALE * self.dense[f"{key}__b"].detach() @ self.dense[f"{key}__a"].detach()

    def save(self, folder: Path) -> None:
        """The whole model; the low-rank factors lie beside it in their own file."""
        folder.mkdir(parents=True, exist_ok=True)
        weights = {name: np.ascontiguousarray(self.merged(key).cpu().numpy()) for key, name in self.names.items()}
        weights[WORDS] = self.words.cpu().numpy()
        save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
        if self.frozen:
            factors = {f"{self.names[key]}.{part}": self.dense[f"{key}__{part}"].detach().cpu().numpy()
                       for key in self.frozen for part in "ab"}
            save_file(factors, folder / FACTORS)
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
        key, bias = f"{name}.weight".replace(".", "__"), self.weight(f"{name}.bias")
        if key not in self.frozen:
            return F.linear(value, self.dense[key], bias)
        low = F.linear(F.linear(self.drop(value), self.dense[f"{key}__a"]), self.dense[f"{key}__b"])
        return F.linear(value, self.frozen[key], bias) + LORA_SCALE * low

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
        self.table = table
        self.first, self.second = torch.zeros_like(table), torch.zeros_like(table)
        self.count = torch.zeros(len(table), device=table.device)
        self.rates = rates.to(table.device)

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

    def encode(self, texts: list[str], chunk_tokens: int = 0) -> torch.Tensor:
        """Unit vectors of texts, in order; equal texts share one row, lengths are kept together."""
        device = self.encoder.device
        with torch.autocast(device.type, torch.bfloat16):  # one context, so that the matrices are rounded once
            return self.encode_rounded(texts, chunk_tokens or CHUNK_TOKENS[device.type])

    def encode_rounded(self, texts: list[str], chunk_tokens: int) -> torch.Tensor:
        unique = list(dict.fromkeys(texts))
        place = {text: index for index, text in enumerate(unique)}
        ids, device = self.encoder.ids(unique), self.encoder.device
        order = sorted(range(len(unique)), key=lambda index: len(ids[index]))
        flat, inverse = torch.unique(torch.tensor([i for index in order for i in ids[index]]), return_inverse=True)
        flat, inverse = flat.to(device), inverse.to(device)
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
            mask = (torch.arange(longest)[None] < lengths[:, None]).to(device)
            padded = torch.zeros(mask.shape, dtype=torch.long, device=device)
            total = int(lengths.sum())
            padded[mask] = inverse[at:at + total]
            vectors.append(self.encoder(F.embedding(padded, leaf), mask))
            start, at = end, at + total
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(vectors).float()[back[torch.tensor([place[text] for text in texts])].to(device)]

    def finish(self, loss: torch.Tensor, dense: torch.optim.Optimizer, rows: Rows, rate_at, peers, clock: float) -> float:
        """Updates the weights; `rate_at` gives the learning rate by the clock that all processes go by, returned here."""
        dense.zero_grad(set_to_none=True)
        loss.backward()
        clock = peers.average(self.encoder, clock)
        torch.nn.utils.clip_grad_norm_(self.encoder.dense.parameters(), 1.0)
        rate = rate_at(clock)
        for group in dense.param_groups:
            group["lr"] = rate * group.get("faster", 1.0)
        dense.step()
        with torch.no_grad():
            touched = torch.cat([flat for flat, _ in self.leaves])
            gradient = torch.cat([leaf.grad if leaf.grad is not None else torch.zeros_like(leaf) for _, leaf in self.leaves])
            rows.update(*peers.gather_rows(touched, gradient), rate)
        return clock


def optimizer(encoder: Encoder, decay: float) -> torch.optim.Optimizer:
    factors = {n for n in encoder.dense if n.endswith(("__a", "__b"))}
    matrices = {n for n, p in encoder.dense.items() if p.ndim > 1 and "position" not in n and "relative" not in n} - factors
    groups = [{"params": [p for n, p in encoder.dense.items() if n in matrices], "weight_decay": decay},
              {"params": [p for n, p in encoder.dense.items() if n not in matrices | factors], "weight_decay": 0.0}]
    if factors:
        groups.append({"params": [encoder.dense[n] for n in sorted(factors)], "weight_decay": 0.0, "faster": LORA_FASTER})
    return torch.optim.AdamW([group for group in groups if group["params"]], betas=(0.9, 0.98), eps=1e-8, fused=True)


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
    tokens = max(4096, CHUNK_TOKENS[encoder.device.type])
    vectors = torch.cat([Step(encoder).encode(unique[i:i + 2000], tokens).cpu() for i in range(0, len(unique), 2000)])
    encoder.train(was)
    place = {text: index for index, text in enumerate(unique)}
    return vectors[torch.tensor([place[text] for text in texts])]
