"""A small residual network as a PopEF model: what a picture of the blobs, anchors and tensors is shown with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.popef import (
    GUIDE_PROGRAMS,
    INPUT,
    OUTPUT,
    Anchor,
    Model,
    executable,
    feed,
    metadata,
    opaque,
    tensor,
)

EXECUTABLE = "11400714819323198485"
REPLICAS, BATCH, SIDE, CLASSES = 2, 4, 24, 10
WIDTHS = (8, 16, 32)
BLOCKS = 2
F16, F32, S32, F8143 = 2, 3, 9, 13
FEED_IMAGES = 6


def blobs(seed: int = 11) -> list[bytes]:
    """METADATA, POPLAR_EXECUTABLE, OPAQUE, one DATA_TENSOR a parameter, a DATA_FEED of images."""
    random = np.random.RandomState(seed)  # its stream never changes between versions of numpy
    parameters = _parameters()
    image = (BATCH, SIDE, SIDE, 3)
    anchors = [
        Anchor("images", INPUT, (REPLICAS, *image), F16, (5,), "h2d_images", per_replica=True),
        *(Anchor(name, INPUT, shape, dtype, (0,), f"h2d_{name}") for name, shape, dtype in parameters),
        Anchor("histogram", INPUT, (REPLICAS, 3, 64), S32, (0,), "h2d_histogram", True, True, 3),
        Anchor("probabilities", OUTPUT, (REPLICAS, BATCH, CLASSES), F32, (5,), "d2h_probabilities", per_replica=True),
        Anchor("histogram", OUTPUT, (REPLICAS, 3, 64), S32, (7,), "d2h_histogram", True, True, 3),
    ]
    model = Model(
        executable=EXECUTABLE,
        anchors=anchors,
        replication=REPLICAS,
        ipus=REPLICAS,
        iterations=8,
        engine=(
            ("debug.retainDebugInformation", "true"),
            ("exchange.enablePrefetch", "true"),
            ("exchange.streamBufferOverlap", "hostRearrangeOnly"),
            ("target.deterministicWorkers", "false"),
        ),
        device=(("ipuLinkDomainSize", "2"),),
        flow=((0, 1), (5,), (7,)),
        programs=tuple(enumerate(GUIDE_PROGRAMS)),
    )
    images = [_image(number) for number in range(FEED_IMAGES)]
    return [
        metadata(model),
        executable(EXECUTABLE, b"made for show, not for a device\n" + random.bytes(40_000), uncompressed=181_337),
        opaque("popart", EXECUTABLE, random.bytes(1536)),
        *(tensor(name, shape, dtype, _values(random, shape, dtype)) for name, shape, dtype in parameters),
        feed("images", image, F16, FEED_IMAGES, b"".join(images)),
    ]


def _parameters() -> list[tuple[str, tuple[int, ...], int]]:
    """(name, shape, data type) of every weight, in the order of the layers."""
    parameters: list[tuple[str, tuple[int, ...], int]] = [("conv1/weights", (3, 3, 3, WIDTHS[0]), F16)]
    before = WIDTHS[0]
    for stage, width in enumerate(WIDTHS, 2):
        for block in range(BLOCKS):
            name = f"stage{stage}/block{block}"
            parameters.append((f"{name}/conv1/weights", (3, 3, before, width), F16))
            parameters.append((f"{name}/bn1/scale_offset", (2, width), F32))
            parameters.append((f"{name}/conv2/weights", (3, 3, width, width), F16))
            parameters.append((f"{name}/bn2/scale_offset", (2, width), F32))
            if before != width:
                parameters.append((f"{name}/shortcut/weights", (1, 1, before, width), F16))
            before = width
    parameters.append(("dense/weights", (before, CLASSES), F8143))
    parameters.append(("dense/bias", (CLASSES,), F32))
    return parameters


def _values(random: np.random.RandomState, shape: tuple[int, ...], dtype: int) -> bytes:
    """Numbers around zero, made with exact steps only, so that they are the same on every machine."""
    count = int(np.prod(shape))
    if dtype == F8143:
        return random.randint(0, 0x38, count).astype(np.uint8).tobytes()
    bell = random.randint(-256, 257, (4, count)).sum(0) / 4096
    narrow: NDArray[Any] = bell.astype("<f2" if dtype == F16 else "<f4")
    return narrow.tobytes()


def _image(number: int) -> bytes:
    """One batch of pictures: rings and stripes that move from picture to picture."""
    y, x = np.mgrid[:SIDE, :SIDE]
    pictures: list[NDArray[np.float64]] = []
    for picture in range(BATCH):
        shift = number * BATCH + picture
        rings = ((x - SIDE // 2) ** 2 + (y - SIDE // 2) ** 2 + 8 * shift) % 128 / 128
        stripes = (x + 2 * y + shift) % 16 / 16
        pictures.append(np.stack((rings, stripes, (x + y) / (2 * SIDE)), -1))
    batch: NDArray[np.float16] = np.stack(pictures).astype("<f2")
    return batch.tobytes()
