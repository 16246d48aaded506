"""An MPNet encoder as an ONNX graph, written from its tensors with numpy: no torch needed to export.

Inputs `input_ids` and `attention_mask`, int64 [batch, tokens]. Output `sentence_embedding`, float32 [batch, hidden]
(mean over the unmasked tokens, unit length), or `last_hidden_state` [batch, tokens, hidden] when pooling is left out.
Attention, Gelu and the skip + normalise pairs use ONNX Runtime's fused operators (domain com.microsoft).

In 8 bits a layer's product is one of whole numbers: each token's values are rounded by a scale of their own, each output's weights
by one of its own, so that a text's vector is the same alone and in a batch. Weights take 7 bits of the 8: two products of an unsigned
byte and a signed 7-bit number fit in 16 bits, in which processors without VNNI add them up. So every processor gets the same sums.
"""

import math

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WEIGHT_MOST = 63  # of a rounded weight
TOKEN_MOST, TOKEN_ZERO = 127, 128  # of a token's rounded values, around 128
LEAST_GELU = -0.171  # gelu is never below -0.17
FUSED = "com.microsoft"


def relative_buckets(distance: np.ndarray, buckets: int, max_distance: int = 128) -> np.ndarray:
    """MPNet's bucket of each key - query distance: half the buckets a side, exact near, logarithmic far."""
    half = buckets // 2
    back = -distance
    side = (back < 0) * half
    back = np.abs(back)
    exact = half // 2
    safe = np.maximum(back, 1).astype(np.float32)
    far = exact + (np.log(safe / exact) / math.log(max_distance / exact) * (half - exact)).astype(np.int64)
    return side + np.where(back < exact, back, np.minimum(far, half - 1))


def quantize_rows(weight: np.ndarray, most: int = WEIGHT_MOST) -> tuple[np.ndarray, np.ndarray]:
    """int8 rows of a [rows, width] matrix and the float32 scale of each, [rows, 1]."""
    scale = np.maximum(np.abs(weight).max(axis=1, keepdims=True) / most, 1e-12).astype(np.float32)
    return np.rint(weight / scale).astype(np.int8), scale


class Graph:
    """Nodes and initializers in the order they are added."""

    def __init__(self, weights: dict, config: dict, quantized: bool):
        self.weights, self.config, self.quantized = weights, config, quantized
        self.nodes, self.initializers, self.constants = [], [], {}

    def tensor(self, name: str, value: np.ndarray) -> str:
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(self, name: str) -> str:
        return self.tensor(name, self.weights[name].astype(np.float32))

    def constant(self, value, dtype=np.int64) -> str:
        key = f"constant_{np.dtype(dtype).name}_{value}"
        if key not in self.constants:
            self.constants[key] = self.tensor(key, np.array(value, dtype))
        return self.constants[key]

    def node(self, operator: str, inputs: list, output: str, domain: str = "", **attributes) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, domain=domain, **attributes))
        return output

    def rounded_above(self, name: str, value: str, least: float) -> tuple[str, str]:
        """As `rounded`, of values that are never below `least`: in whole numbers from 0, which stands for `least`."""
        most = self.node("ReduceMax", [value, self.constant([1])], f"{name}.most", keepdims=1)
        span = self.node("Sub", [most, self.constant(least, np.float32)], f"{name}.span")
        scale = self.node("Mul", [span, self.constant(1 / 255, np.float32)], f"{name}.scale")
        scale = self.node("Max", [scale, self.constant(1e-12, np.float32)], f"{name}.token_scale")
        whole = self.node("Sub", [value, self.constant(least, np.float32)], f"{name}.above")
        whole = self.node("Div", [whole, scale], f"{name}.divided")
        whole = self.node("QuantizeLinear", [whole, self.constant(1.0, np.float32), self.constant(0, np.uint8)], f"{name}.whole")
        return whole, scale

    def rounded(self, name: str, value: str) -> tuple[str, str]:
        """A [tokens, width] matrix in whole numbers around TOKEN_ZERO, and the scale of each token, [tokens, 1]."""
        size = self.node("Abs", [value], f"{name}.size")
        most = self.node("ReduceMax", [size, self.constant([1])], f"{name}.most", keepdims=1)
        scale = self.node("Mul", [most, self.constant(1 / TOKEN_MOST, np.float32)], f"{name}.scale")
        scale = self.node("Max", [scale, self.constant(1e-12, np.float32)], f"{name}.token_scale")
        whole = self.node("Div", [value, scale], f"{name}.divided")
        whole = self.node("QuantizeLinear", [whole, self.constant(1.0, np.float32), self.constant(TOKEN_ZERO, np.uint8)], f"{name}.whole")
        return whole, scale

    def product(self, name: str, value: str, rounded: tuple[str, str] | None = None, zero: int = TOKEN_ZERO) -> str:
        """value times the layer's weight, without its bias; `rounded` is value in whole numbers around `zero`."""
        weight = self.weights[f"{name}.weight"].astype(np.float32)
        if not self.quantized:
            return self.node("MatMul", [value, self.tensor(f"{name}.weight", weight.T)], f"{name}.product")
        whole, token_scale = rounded or self.rounded(name, value)
        rows, scale = quantize_rows(weight)
        inputs = [whole, self.tensor(f"{name}.weight_q8", rows.T), self.constant(1.0, np.float32),
                  self.tensor(f"{name}.weight_scale", scale.reshape(-1)), self.constant(zero, np.uint8)]
        product = self.node("MatMulIntegerToFloat", inputs, f"{name}.unscaled", FUSED)
        return self.node("Mul", [product, token_scale], f"{name}.product")

    def embeddings(self) -> str:
        words = self.weights["embeddings.word_embeddings.weight"].astype(np.float32)
        if self.quantized:
            rows, scale = quantize_rows(words, 127)
            rows = self.tensor("embeddings.words_q8", rows)
            picked = self.node("Gather", [rows, "input_ids"], "embeddings.word_q8", axis=0)
            picked = self.node("Cast", [picked], "embeddings.word_cast", to=TensorProto.FLOAT)
            scales = self.node("Gather", [self.tensor("embeddings.words_scale", scale), "input_ids"],
                               "embeddings.word_scale", axis=0)
            word = self.node("Mul", [picked, scales], "embeddings.word")
        else:
            word = self.node("Gather", [self.tensor("embeddings.words", words), "input_ids"], "embeddings.word", axis=0)
        # Positions count the unmasked tokens from pad + 1; masked ones get the padding position, as in the original.
        pad = self.config["pad_token_id"]
        counted = self.node("CumSum", ["attention_mask", self.constant(1)], "positions.counted")
        counted = self.node("Mul", [counted, "attention_mask"], "positions.unmasked")
        position = self.node("Add", [counted, self.constant(pad)], "positions.index")
        rows = self.weight("embeddings.position_embeddings.weight")
        position = self.node("Gather", [rows, position], "embeddings.position", axis=0)
        return self.skip_norm("embeddings.LayerNorm", word, position)

    def skip_norm(self, name: str, value: str, skip: str, bias: str = "") -> str:
        inputs = [value, skip, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"), *([bias] if bias else [])]
        return self.node("SkipLayerNormalization", inputs, f"{name}.output", FUSED,
                         epsilon=float(self.config["layer_norm_eps"]))

    def relative_bias(self) -> str:
        """float32 [1, heads, tokens, tokens], shared by all layers: one lookup by key - query distance."""
        longest = self.config["max_position_embeddings"] - 2
        buckets = relative_buckets(np.arange(1 - longest, longest), self.config["relative_attention_num_buckets"])
        table = self.weights["encoder.relative_attention_bias.weight"].astype(np.float32)[buckets].T[None]
        shape = self.node("Shape", ["input_ids"], "tokens.shape", start=1, end=2)
        count = self.node("Squeeze", [shape], "tokens.count")
        index = self.node("Range", [self.constant(0), count, self.constant(1)], "tokens.index")
        query = self.node("Unsqueeze", [index, self.constant([1])], "tokens.query")
        distance = self.node("Sub", [index, query], "distance")
        distance = self.node("Add", [distance, self.constant(longest - 1)], "distance.row")
        table = self.tensor("encoder.relative_attention_bias.by_distance", table)
        return self.node("Gather", [table, distance], "relative_bias", axis=2)

    def layer(self, name: str, value: str, mask: str, bias: str) -> str:
        """A layer of [tokens, hidden] matrices; the biases are added by the operators that follow a product."""
        attention = f"{name}.attention.attn"
        rounded = self.rounded(f"{name}.attention", value) if self.quantized else None
        parts = [self.node("Reshape", [self.product(f"{attention}.{part}", value, rounded), "texts.shape"], f"{attention}.{part}.texts")
                 for part in "qkv"]
        biases = np.concatenate([self.weights[f"{attention}.{part}.bias"] for part in "qkv"]).astype(np.float32)
        attended = self.node("MultiHeadAttention", [*parts, self.tensor(f"{attention}.bias", biases), mask, bias], f"{name}.attended", FUSED,
                             num_heads=self.config["num_attention_heads"])
        attended = self.node("Reshape", [attended, "tokens.flat"], f"{name}.attended_tokens")
        projected = self.product(f"{attention}.o", attended)
        value = self.skip_norm(f"{name}.attention.LayerNorm", projected, value, self.weight(f"{attention}.o.bias"))
        wide = self.product(f"{name}.intermediate.dense", value)
        wide = self.node("BiasGelu", [wide, self.weight(f"{name}.intermediate.dense.bias")], f"{name}.gelu", FUSED)
        if not self.quantized:
            return self.skip_norm(f"{name}.output.LayerNorm", self.product(f"{name}.output.dense", wide), value, self.weight(f"{name}.output.dense.bias"))
        # What the least value stands for at every input is taken off with the bias.
        rows, scale = quantize_rows(self.weights[f"{name}.output.dense.weight"].astype(np.float32))
        bias = self.weights[f"{name}.output.dense.bias"] + LEAST_GELU * (rows.astype(np.float32) * scale).sum(axis=1)
        shifted = self.tensor(f"{name}.output.dense.shifted_bias", bias.astype(np.float32))
        product = self.product(f"{name}.output.dense", wide, self.rounded_above(f"{name}.output.dense", wide, LEAST_GELU), 0)
        return self.skip_norm(f"{name}.output.LayerNorm", product, value, shifted)

    def pooled(self, value: str) -> str:
        mask = self.node("Cast", ["attention_mask"], "mask.float", to=TensorProto.FLOAT)
        column = self.node("Unsqueeze", [mask, self.constant([2])], "mask.column")
        # [batch, 1, tokens] x [batch, tokens, hidden]: the sum over the unmasked tokens.
        row = self.node("Unsqueeze", [mask, self.constant([1])], "mask.row")
        total = self.node("MatMul", [row, value], "pooled.sum_row")
        total = self.node("Squeeze", [total, self.constant([1])], "pooled.sum")
        count = self.node("ReduceSum", [column, self.constant([1])], "pooled.count", keepdims=0)
        count = self.node("Max", [count, self.constant(1, np.float32)], "pooled.count_positive")
        mean = self.node("Div", [total, count], "pooled.mean")
        length = self.node("ReduceL2", [mean, self.constant([1])], "pooled.length", keepdims=1)
        length = self.node("Max", [length, self.constant(1e-12, np.float32)], "pooled.length_positive")
        return self.node("Div", [mean, length], "sentence_embedding")


def build(weights: dict, config: dict, quantized: bool, pooling: bool = True) -> onnx.ModelProto:
    """The whole encoder. `weights` are a Hugging Face MPNetModel's tensors, `config` its config.json."""
    if config.get("model_type") != "mpnet" or config.get("hidden_act", "gelu") != "gelu":
        raise ValueError("only MPNet with gelu is supported")
    weights = {name.removeprefix("mpnet."): value for name, value in weights.items()}
    graph = Graph(weights, config, quantized)
    hidden = config["hidden_size"]
    value = graph.embeddings()
    sizes = graph.node("Shape", ["input_ids"], "texts.sizes")
    graph.node("Concat", [sizes, graph.constant([hidden])], "texts.shape", axis=0)
    graph.tensor("tokens.flat", np.array([-1, hidden], np.int64))
    value = graph.node("Reshape", [value, "tokens.flat"], "embeddings.tokens")
    mask = graph.node("Cast", ["attention_mask"], "mask.int32", to=TensorProto.INT32)
    bias = graph.relative_bias()
    for index in range(config["num_hidden_layers"]):
        value = graph.layer(f"encoder.layer.{index}", value, mask, bias)
    value = graph.node("Reshape", [value, "texts.shape"], "encoded.texts")
    if pooling:
        output = helper.make_tensor_value_info(graph.pooled(value), TensorProto.FLOAT, ["batch", hidden])
    else:
        graph.node("Identity", [value], "last_hidden_state")
        output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", hidden])
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
              for name in ("input_ids", "attention_mask")]
    made = helper.make_graph(graph.nodes, "mpnet", inputs, [output], graph.initializers)
    return helper.make_model(made, producer_name="tapwright", ir_version=10,
                             opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid(FUSED, 1)])
