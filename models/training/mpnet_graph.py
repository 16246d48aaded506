"""An MPNet encoder as an ONNX graph, written from its tensors with numpy: no torch needed to export.

Inputs `input_ids` and `attention_mask`, int64 [batch, tokens]. Output `sentence_embedding`, float32 [batch, hidden]
(mean over the unmasked tokens, unit length), or `last_hidden_state` [batch, tokens, hidden] when pooling is left out.
Attention, Gelu and the skip + normalise pairs use ONNX Runtime's fused operators (domain com.microsoft).
"""

import math

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

BLOCK = 32  # weights sharing one scale
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


def quantize_blocks(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """MatMulNBits' layout of a [out, in] matrix: uint8 [out, blocks, BLOCK] around 128, float32 scales [out * blocks]."""
    out, width = weight.shape
    if width % BLOCK:
        raise ValueError(f"the inner width {width} is no multiple of {BLOCK}")
    blocks = weight.reshape(out, width // BLOCK, BLOCK)
    scale = np.maximum(np.abs(blocks).max(axis=2, keepdims=True) / 127, 1e-12).astype(np.float32)
    return (np.rint(blocks / scale) + 128).astype(np.uint8), scale.reshape(-1)


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

    def linear(self, name: str, value: str) -> str:
        """value times the layer's weight, plus its bias."""
        weight = self.weights[f"{name}.weight"].astype(np.float32)
        if not self.quantized:
            product = self.node("MatMul", [value, self.tensor(f"{name}.weight", weight.T)], f"{name}.product")
            return self.node("Add", [product, self.weight(f"{name}.bias")], f"{name}.output")
        packed, scale = quantize_blocks(weight)
        inputs = [value, self.tensor(f"{name}.weight_q8", packed), self.tensor(f"{name}.weight_scale", scale),
                  "", "", self.weight(f"{name}.bias")]
        return self.node("MatMulNBits", inputs, f"{name}.output", FUSED, K=weight.shape[1], N=weight.shape[0], bits=8,
                         block_size=BLOCK, accuracy_level=4)

    def embeddings(self) -> str:
        words = self.weights["embeddings.word_embeddings.weight"].astype(np.float32)
        if self.quantized:
            scale = np.maximum(np.abs(words).max(axis=1, keepdims=True) / 127, 1e-12).astype(np.float32)
            rows = self.tensor("embeddings.words_q8", np.rint(words / scale).astype(np.int8))
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

    def skip_norm(self, name: str, value: str, skip: str) -> str:
        inputs = [value, skip, self.weight(f"{name}.weight"), self.weight(f"{name}.bias")]
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
        parts = [self.linear(f"{name}.attention.attn.{part}", value) for part in "qkv"]
        attended = self.node("MultiHeadAttention", [*parts, "", mask, bias], f"{name}.attended", FUSED,
                             num_heads=self.config["num_attention_heads"])
        projected = self.linear(f"{name}.attention.attn.o", attended)
        value = self.skip_norm(f"{name}.attention.LayerNorm", projected, value)
        wide = self.linear(f"{name}.intermediate.dense", value)
        wide = self.node("Gelu", [wide], f"{name}.gelu", FUSED)
        return self.skip_norm(f"{name}.output.LayerNorm", self.linear(f"{name}.output.dense", wide), value)

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
    value = graph.embeddings()
    mask = graph.node("Cast", ["attention_mask"], "mask.int32", to=TensorProto.INT32)
    bias = graph.relative_bias()
    for index in range(config["num_hidden_layers"]):
        value = graph.layer(f"encoder.layer.{index}", value, mask, bias)
    hidden = config["hidden_size"]
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
