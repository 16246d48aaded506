"""Several single-threaded processes that train one model together: gradients are averaged once a step.

Two processes beat two threads of one on a busy machine, where threads wait for each other at every matrix product.
"""

import collections

import torch
import torch.distributed as group

from encoder import Encoder


class Peers:
    """This process among `size`; with one process everything is a no-op."""

    def __init__(self, rank: int, size: int, meeting: str):
        self.rank, self.size = rank, size
        if size > 1:
            group.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=size)

    def average(self, encoder: Encoder, clock: float) -> float:
        """Averages the dense gradients; returns the first process's clock, which all of them go by."""
        if self.size == 1:
            return clock
        parameters = [p for p in encoder.dense.values() if p.grad is not None]
        told = torch.tensor([clock if self.rank == 0 else 0.0])
        flat = torch.cat([p.grad.reshape(-1) for p in parameters] + [told])
        group.all_reduce(flat)
        at = 0
        for parameter in parameters:
            count = parameter.numel()
            parameter.grad.copy_(flat[at:at + count].view_as(parameter) / self.size)
            at += count
        return float(flat[-1])

    def gather_rows(self, rows: torch.Tensor, gradient: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The averaged gradient of every row that any process touched."""
        if self.size == 1:
            return rows, gradient
        counts = [torch.zeros(1, dtype=torch.long) for _ in range(self.size)]
        group.all_gather(counts, torch.tensor([len(rows)]))
        most = int(max(counts))
        all_rows = [torch.zeros(most, dtype=torch.long) for _ in range(self.size)]
        all_gradients = [torch.zeros(most, gradient.shape[1]) for _ in range(self.size)]
        group.all_gather(all_rows, torch.nn.functional.pad(rows, (0, most - len(rows))))
        group.all_gather(all_gradients, torch.nn.functional.pad(gradient, (0, 0, 0, most - len(rows))))
        joined = torch.cat([r[:int(n)] for r, n in zip(all_rows, counts)])
        unique, inverse = torch.unique(joined, return_inverse=True)
        total = torch.zeros(len(unique), gradient.shape[1])
        total.index_add_(0, inverse, torch.cat([g[:int(n)] for g, n in zip(all_gradients, counts)]))
        return unique, total / self.size

    def gather(self, value) -> list:
        """Every process's value."""
        if self.size == 1:
            return [value]
        values = [None] * self.size
        group.all_gather_object(values, value)
        return values

    def add_counts(self, counts: dict) -> dict:
        """Counters (lists of numbers by key) of all processes, added up."""
        total = collections.defaultdict(lambda: [0, 0, 0])
        for own in self.gather(dict(counts)):
            for key, numbers in own.items():
                total[key] = [a + b for a, b in zip(total[key], numbers)]
        return total
