#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes NAME.pt, small TorchScript files of the forms in which walking policies are shipped, and NAME.txt, what
PyTorch computes with them (`in NAME numbers` and `out NAME numbers`; an empty line ends one evaluation, the next one
goes on with the state of the one before). Beside them refused_NAME.pt, forms that have to be refused, and
weights_alone.pt, a checkpoint without a program, and some archives as seeds of a fuzz target. Run with torch and numpy of PyPI (the versions are in README.md):
python3 make_scripts.py"""
import zipfile

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(7)
EVALUATIONS = 4


def save(name, module, sizes, inputs=("obs",), trace=False):
    module = module.eval()
    for parameter in module.parameters():
        parameter.requires_grad_(False)
    if trace:
        script = torch.jit.trace(module, tuple(torch.randn(1, n) for n in sizes), check_trace=False)
    else:
        script = torch.jit.script(module)
    torch.jit.save(script, name + ".pt")
    if name.startswith("refused"):
        return
    script = torch.jit.load(name + ".pt")
    with open(name + ".txt", "w") as out:
        for _ in range(EVALUATIONS):
            given = [torch.randn(1, n) for n in sizes]
            result = script(*given)
            results = result if isinstance(result, tuple) else (result,)
            for key, value in zip(inputs, given):
                out.write(f"in {key} " + " ".join(f"{x:.9g}" for x in value.flatten().tolist()) + "\n")
            for key, value in zip(("actions", "output_1", "output_2"), results):
                out.write(f"out {key} " + " ".join(f"{x:.9g}" for x in value.flatten().tolist()) + "\n")
            out.write("\n")


def write_parts(name):
    """NAME.parts, the files of an archive as fuzz/torchscript_fuzz.cc takes them: NAME 0x1e CONTENT 0x1e."""
    with zipfile.ZipFile(name + ".pt") as archive, open(name + ".parts", "wb") as out:
        for entry in archive.namelist():
            if entry.endswith((".py", ".pkl")) or "/data/" in entry:
                out.write(entry.encode() + b"\x1e" + archive.read(entry).replace(b"\x1e", b"\x1f") + b"\x1e")


def stack(sizes, activation):
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        if i + 2 < len(sizes):
            layers.append(activation())
    return nn.Sequential(*layers)


class Exporter(nn.Module):
    """A stack behind a normaliser that does nothing, as robot_lab exports it."""

    def __init__(self, activation=nn.ELU):
        super().__init__()
        self.actor = stack([7, 12, 8, 3], activation)
        self.normalizer = nn.Identity()

    def forward(self, x):
        return self.actor(self.normalizer(x))

    @torch.jit.export
    def reset(self):
        pass


class EmpiricalNormalization(nn.Module):
    def __init__(self, size, eps: float = 1e-2):
        super().__init__()
        self.eps = eps
        self.register_buffer("_mean", torch.randn(1, size))
        self.register_buffer("_std", torch.rand(1, size) + 0.5)
        self.register_buffer("count", torch.tensor(0, dtype=torch.long))

    def forward(self, x):
        return (x - self._mean) / (self._std + self.eps)


class Normalised(nn.Module):
    def __init__(self):
        super().__init__()
        self.normalizer = EmpiricalNormalization(6)
        self.actor = stack([6, 10, 4], nn.ELU)

    def forward(self, x):
        return self.actor(self.normalizer(x))


class Lstm(nn.Module):
    """As rsl_rl exports a recurrent policy: state in buffers that forward overwrites."""

    def __init__(self, layers=1):
        super().__init__()
        self.normalizer = EmpiricalNormalization(5)
        self.rnn = nn.LSTM(5, 6, num_layers=layers)
        self.actor = stack([6, 8, 3], nn.ELU)
        self.register_buffer("hidden_state", torch.zeros(layers, 1, 6))
        self.register_buffer("cell_state", torch.zeros(layers, 1, 6))

    def forward(self, x):
        x = self.normalizer(x)
        x, (h, c) = self.rnn(x.unsqueeze(0), (self.hidden_state, self.cell_state))
        self.hidden_state[:] = h
        self.cell_state[:] = c
        x = x.squeeze(0)
        return self.actor(x)

    @torch.jit.export
    def reset(self):
        self.hidden_state[:] = 0.0
        self.cell_state[:] = 0.0


class Gru(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 6, num_layers=2)
        self.actor = stack([6, 3], nn.ELU)
        self.register_buffer("hidden_state", torch.zeros(2, 1, 6))

    def forward(self, x):
        x, h = self.rnn(x.unsqueeze(0), self.hidden_state)
        self.hidden_state = h
        return self.actor(x.squeeze(0))


class GruBatchFirst(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 5, batch_first=True)
        self.actor = nn.Linear(5, 2)
        self.register_buffer("hidden_state", torch.zeros(1, 1, 5))

    def forward(self, x):
        x, h = self.rnn(x.unsqueeze(1), self.hidden_state)
        self.hidden_state = h
        return self.actor(x[:, 0])


class Him(nn.Module):
    """History encoder of HIMLoco: velocity and a normalised latent from five frames, then the newest frame."""

    def __init__(self):
        super().__init__()
        self.estimator = stack([5 * 6, 12, 3 + 4], nn.ELU)
        self.actor = stack([6 + 3 + 4, 10, 3], nn.ELU)

    def forward(self, obs_history):
        parts = self.estimator(obs_history)[:, 0:7]
        vel, z = parts[..., :3], parts[..., 3:]
        z = F.normalize(z, dim=-1, p=2.0)
        return self.actor(torch.cat((obs_history[:, 0:6], vel, z), dim=1))


class Encoder(nn.Module):
    """An adaptation module with two inputs and two outputs."""

    def __init__(self):
        super().__init__()
        self.encoder = stack([12, 8, 3], nn.ReLU)
        self.actor = stack([6 + 3, 8, 2], nn.ELU)

    def forward(self, obs, history):
        code = self.encoder(history)
        return self.actor(torch.cat([obs, code], dim=-1)), code


class Convolution(nn.Module):
    """A history of frames through a convolution over time, as RMA has it."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(3, 5)
        self.conv = nn.Conv1d(5, 4, 4, stride=2)
        self.actor = nn.Linear(4 * 4, 2)
        self.scale = nn.Parameter(torch.randn(30))

    def forward(self, obs):
        frames = F.leaky_relu((obs * self.scale).view(-1, 3), 0.1)
        x = self.embed(frames).view(1, 10, 5).permute(0, 2, 1)
        return self.actor(self.conv(x).flatten(1))


class Activations(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 6)
        self.norm = nn.LayerNorm(6)
        self.many = nn.ModuleList([nn.ELU(0.7), nn.ReLU(), nn.LeakyReLU(0.2), nn.Tanh(), nn.Sigmoid(), nn.SiLU(),
                                   nn.Softplus(), nn.SELU(), nn.CELU(1.3), nn.Mish(), nn.Hardtanh(-0.5, 0.8),
                                   nn.ReLU6(), nn.Softsign(), nn.Dropout(0.3), nn.GELU(approximate="tanh")])
        self.last = nn.Linear(6 * 15, 3)

    def forward(self, x):
        x = self.norm(self.layer(x))
        results: list[torch.Tensor] = []
        for module in self.many:
            results.append(module(x))
        return torch.tanh(self.last(torch.cat(results, dim=-1)))


class Arithmetic(nn.Module):
    """Sums, shares, extremes, and operators that write in place."""

    def __init__(self):
        super().__init__()
        self.a = nn.Linear(5, 4)
        self.b = nn.Linear(5, 4, bias=False)

    def forward(self, x):
        y = self.a(x)
        z = self.b(x)
        y.add_(z, alpha=0.5)
        share = torch.softmax(y, dim=-1)
        left, right = torch.chunk(z, 2, dim=1)
        spread = torch.sqrt((y - y.mean(dim=1, keepdim=True)).pow(2).sum(dim=1, keepdim=True) + 1e-3)
        pair = torch.stack([left, right], dim=1).reshape(1, 4)
        clipped = torch.clamp(z, min=-0.3, max=0.4)
        return torch.cat((share / spread, 1.0 - pair, torch.abs(clipped), -z, torch.exp(z * 0.1),
                          torch.maximum(y, z), torch.min(y, z), torch.norm(z, p=2, dim=1, keepdim=True)), 1)


class Traced(nn.Module):
    """What a trace of a wrapper looks like: sizes are read and used again."""

    def __init__(self):
        super().__init__()
        self.body = stack([8, 6, 2], nn.Tanh)

    def forward(self, x):
        rows = x.shape[0]
        y = x.reshape(rows, 2, 4).transpose(1, 2).reshape(rows, -1)
        return self.body(y)


class IndexPut(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 3)

    def forward(self, x):
        y = self.body(x)
        y[torch.tensor([0]), torch.tensor([1])] = 0.5
        return y


class Branching(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 3)

    def forward(self, x):
        if bool(x[0, 0] > 0.0):
            return self.body(x)
        return -self.body(x)


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 3)

    def forward(self, x):
        return self.body(x) + torch.randn(1, 3)


class Counting(nn.Module):
    """Keeps a number between calls, which is no tensor."""

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 3)
        self.calls: int = 0

    def forward(self, x):
        self.calls += 1
        return self.body(x) * float(self.calls)


class AnySize(nn.Module):
    """Its weights do not say how many numbers it takes."""

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 3)

    def forward(self, x):
        return self.body(x[:, -4:])


if __name__ == "__main__":
    save("stack", Exporter(), [7], ["x"])
    save("stack_traced", Exporter(nn.ReLU), [7], ["x"], trace=True)
    save("normalised", Normalised(), [6], ["x"])
    save("normalised_traced", Normalised(), [6], ["x"], trace=True)
    save("lstm", Lstm(), [5], ["x"])
    save("lstm_two_layers", Lstm(2), [5], ["x"])
    save("gru", Gru(), [5], ["x"])
    save("gru_batch_first", GruBatchFirst(), [4], ["x"])
    save("him", Him(), [30], ["obs_history"])
    save("him_traced", Him(), [30], ["obs_history"], trace=True)
    save("encoder", Encoder(), [6, 12], ["obs", "history"])
    save("convolution", Convolution(), [30])
    save("activations", Activations(), [4], ["x"])
    save("arithmetic", Arithmetic(), [5], ["x"])
    save("traced", Traced(), [8], ["x"], trace=True)
    save("refused_index_put", IndexPut(), [4], trace=True)
    save("refused_branch", Branching(), [4])
    save("refused_noise", Noisy(), [4])
    save("refused_count", Counting(), [4])
    save("refused_any_size", AnySize(), [4])
    torch.save(Exporter().state_dict(), "weights_alone.pt")
    for part in ("stack", "gru_batch_first", "him_traced", "arithmetic"):
        write_parts(part)
