"""Main figures of PopEF models."""

from __future__ import annotations

import numpy as np

from app.analysis.figures import Figure
from app.analysis.popef.anchors import groups
from app.analysis.popef.doubts import UNVERIFIED
from app.language import tr
from app.profile.popef import BLOB_TYPES, FEED, TENSOR, Blobs, Model, blob_type
from app.profile.profile import Profile


def figures(profile: Profile) -> list[Figure]:
    """The figures; empty for a profile without blobs. Figures that need metadata are left out without it."""
    if profile.blobs is None:
        return []
    main = _of_blobs(profile.blobs)
    if profile.model is not None:
        main += _of_model(profile.model)
    return main


def _of_blobs(blobs: Blobs) -> list[Figure]:
    counts = dict.fromkeys(BLOB_TYPES, 0)
    for number, count in zip(*np.unique(blobs.type, return_counts=True), strict=True):
        counts[blob_type(int(number))] = int(count)
    return [
        Figure(
            "popef.blobs",
            tr("Blobs by type"),
            counts,
            help=tr("Sizes of the whole blobs of all files. {unverified}", unverified=UNVERIFIED),
        ),
        Figure("popef.bytes", tr("All blobs"), int(blobs.size.sum()), "B", tr("Sum of the sizes in the blob headers.")),
        _payload(blobs, TENSOR, "popef.tensor_bytes", tr("Tensor data")),
        _payload(blobs, FEED, "popef.feed_bytes", tr("Feed data")),
    ]


def _payload(blobs: Blobs, kind: int, name: str, label: str) -> Figure:
    sizes = blobs.payload_size[(blobs.type == kind) & (blobs.payload_size >= 0)]
    return Figure(
        name,
        label,
        int(sizes.sum()),
        "B",
        tr(
            "Payload bytes in the files: the content of {blob_type} blobs after the message.", blob_type=blob_type(kind)
        ),
    )


def _of_model(model: Model) -> list[Figure]:
    texts = model.strings
    main = [
        Figure("popef.executables", tr("Executables"), [texts.get(i) for i in model.executables.name.tolist()]),
        Figure("popef.opaques", tr("Opaque blobs"), [texts.get(i) for i in model.opaques.name.tolist()]),
        Figure("popef.tensors", tr("Tensors"), int((~model.tensors.feed).sum())),
        Figure("popef.feeds", tr("Feeds"), int(model.tensors.feed.sum())),
    ]
    metadata = model.metadata
    if len(metadata):
        main += _of_anchors(model)
    if len(metadata) == 1:
        main += [
            Figure("popef.replication_factor", tr("Replication factor"), int(metadata.replication_factor[0])),
            Figure("popef.ipus", tr("IPUs"), int(metadata.ipus[0])),
            Figure("popef.ipu_version", tr("IPU version"), int(metadata.ipu_version[0]), role="key"),
            Figure("popef.device_iterations", tr("Device iterations"), int(metadata.device_iterations[0])),
            Figure("popef.inference", tr("Inference"), bool(metadata.inference[0])),
        ]
    return main


def _of_anchors(model: Model) -> list[Figure]:
    counts = np.bincount(groups(model), minlength=6)
    help_ = tr("PopEF provided: these files contain a tensor or feed with the anchor's name (popef_dump's grouping).")
    names = ("user_inputs", "popef_inputs", "user_outputs", "popef_outputs")
    labels = (tr("User inputs"), tr("PopEF inputs"), tr("User outputs"), tr("PopEF outputs"))
    return [
        Figure("popef.models", tr("Models"), len(model.metadata), help=tr("Number of METADATA blobs.")),
        Figure("popef.anchors", tr("Anchors"), len(model.anchors)),
        *(
            Figure(f"popef.{name}", label, int(counts[index]), help=help_)
            for index, (name, label) in enumerate(zip(names, labels, strict=True))
        ),
    ]
