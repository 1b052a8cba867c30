"""What the desktop shows of the program in Chinese: menu entry, software centre, file types."""

from __future__ import annotations

LANGUAGE = "zh_CN"
GENERIC_NAME = "性能数据查看器"
SUMMARY = "面向众核 AI 加速器的性能数据查看器"
KEYWORDS = ("性能分析", "剖析", "时间线", "算子", "昇腾")
PARAGRAPHS = (
    "Tilesight 显示 Graphcore IPU 和华为 Ascend NPU 的性能数据："
    "将厂商工具写出的文件拖放到窗口上，即可查看内存和周期的去向。",
    "它可以打开 Poplar 的图和执行报告（JSON 和 CBOR）、PopEF 模型、Ascend 算子性能数据 (visualize_data.bin)、"
    "算子仿真的 Chrome 轨迹文件、片上内存规划、含 IPU 事件的 TensorBoard 事件文件和张量映射。"
    "一切都在本机进行，不会发送任何内容。",
)
FILE_TYPES = {
    "popef": "PopEF 模型",
    "ascend-bin": "Ascend 算子性能数据",
    "ascend-report": "Ascend 算子报告",
    "ascend-npu-report": "Ascend NPU 算子报告",
}
"""By the id of the file type."""
