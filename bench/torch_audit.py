#!/usr/bin/python3
"""The treatment-effect learner of the audit as a PyTorch user would write it, timed.

Three formulations of one refit at the paper's size (960 queries x 6 candidates, 237 features, five members, two hidden
layers of 64, AdamW 1e-3 / 1e-4, batch 256, 200 epochs): `single` trains one member after the other, `bmm` all five members
with batched products, `grouped` the members of four refits with batched products. A few epochs are timed and scaled to 200.
Prints one line of JSON per formulation: seconds per refit, wall and CPU.

  torch_audit.py [--threads 2] [--epochs 3] [single|bmm|grouped ...]
"""
import argparse
import json
import math
import time

import torch
import torch.nn.functional as F

QUERIES, CANDIDATES, FEATURES, HIDDEN, OUTPUTS = 960, 6, 237, 64, 3
MEMBERS, EPOCHS, BATCH = 5, 200, 256


def table():
    """Inputs and targets, row by row, z-scored."""
    torch.manual_seed(20260717)
    features = torch.randn(QUERIES, FEATURES).repeat_interleave(CANDIDATES, 0)
    one_hot = torch.eye(CANDIDATES).repeat(QUERIES, 1)
    x = torch.cat([features, one_hot], 1)
    x = (x - x.mean(0)) / x.std(0, unbiased=False)
    y = torch.randn(len(x), OUTPUTS)
    y[:, 2] = (torch.rand(len(x)) < 0.9).float()
    return x, y


def loss_of(out, y):
    """MSE of work and time plus cross-entropy of eligibility, summed over any leading dimensions."""
    lead = out.shape[:-2].numel()
    return lead * (F.mse_loss(out[..., 0], y[..., 0]) + F.mse_loss(out[..., 1], y[..., 1])
                   + F.binary_cross_entropy_with_logits(out[..., 2], y[..., 2]))


def train_single(x, y, epochs):
    """One member."""
    net = torch.nn.Sequential(torch.nn.Linear(x.shape[1], HIDDEN), torch.nn.ReLU(),
                              torch.nn.Linear(HIDDEN, HIDDEN), torch.nn.ReLU(),
                              torch.nn.Linear(HIDDEN, OUTPUTS))
    optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-4)
    for _ in range(epochs):
        for rows in torch.randperm(len(x)).split(BATCH):
            optimiser.zero_grad()
            loss_of(net(x[rows]), y[rows]).backward()
            optimiser.step()
    return net


def train_batched(x, y, members, epochs):
    """Several members at once, each with its own rows."""
    sizes = [x.shape[1], HIDDEN, HIDDEN, OUTPUTS]
    weights, biases = [], []
    for fan_in, width in zip(sizes, sizes[1:]):
        bound = 1 / math.sqrt(fan_in)
        weights.append(torch.empty(members, fan_in, width).uniform_(-bound, bound).requires_grad_())
        biases.append(torch.empty(members, 1, width).uniform_(-bound, bound).requires_grad_())
    optimiser = torch.optim.AdamW(weights + biases, lr=1e-3, weight_decay=1e-4)
    for _ in range(epochs):
        order = torch.stack([torch.randperm(len(x)) for _ in range(members)])
        for rows in order.split(BATCH, 1):
            optimiser.zero_grad()
            h = x[rows]
            for w, b in zip(weights[:-1], biases[:-1]):
                h = F.relu(torch.baddbmm(b, h, w))
            loss_of(torch.baddbmm(biases[-1], h, weights[-1]), y[rows]).backward()
            optimiser.step()


def formulation(name, x, y, epochs):
    """Trains and returns how many refits that was, in epochs of five members."""
    if name == "single":
        train_single(x, y, epochs)
        return epochs / MEMBERS
    refits = 4 if name == "grouped" else 1
    train_batched(x, y, refits * MEMBERS, epochs)
    return epochs * refits


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("names", nargs="*", metavar="single|bmm|grouped")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    x, y = table()
    for name in args.names or ["single", "bmm", "grouped"]:
        formulation(name, x, y, 1)  # warm up
        wall, cpu = time.perf_counter(), time.process_time()
        done = formulation(name, x, y, args.epochs)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(json.dumps({"name": "torch-" + name, "threads": args.threads,
                          "wall_s": round(wall * EPOCHS / done, 3), "cpu_s": round(cpu * EPOCHS / done, 3)}), flush=True)


if __name__ == "__main__":
    main()
