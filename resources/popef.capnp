# The messages inside a PopEF file, as Tilesight reads them.
#
# Written for Tilesight from a table of field numbers and wire offsets. It describes bytes, not any library: the
# id and the names of the structures are our own. What the fields mean is told by the PopEF user guide, chapter 2.
# Fields are numbered in the order in which they came into being; never renumber one, only add at the end.

@0xdb37b6558f197c85;

enum BlobKind {
  poplarExecutable @0;
  metadata @1;
  dataTensor @2;
  dataFeed @3;
  opaque @4;
}

enum ElementKind {
  bool @0;
  f8 @1;
  f16 @2;
  f32 @3;
  f64 @4;
  s8 @5;
  u8 @6;
  s16 @7;
  u16 @8;
  s32 @9;
  u32 @10;
  s64 @11;
  u64 @12;
  f8Bias8 @13;   # 4 exponent bits, 3 of mantissa ("F8143")
  f8Bias16 @14;  # 5 exponent bits, 2 of mantissa ("F8152")
}

enum Direction {
  unknown @0;
  input @1;
  output @2;
}

# Starts every blob. The message after it is, by kind: ExecutableInfo, ModelMetadata, TensorPayload, FeedPayload
# or OpaqueInfo. After that comes the payload, up to the end of the blob.
struct BlobStart {
  version @0 :Text;
  kind @1 :BlobKind;
  size @2 :UInt64;  # bytes of the whole blob, this message included
}

struct ExecutableInfo {
  name @0 :Text;
  uncompressedSize @1 :UInt64;  # all bits set: the payload is not compressed
}

struct OpaqueInfo {
  name @0 :Text;        # usually the framework that wrote it
  executable @1 :Text;  # the executable it belongs to
}

struct TensorShape {
  elementKind @0 :ElementKind;
  shape @1 :List(Int64);  # outermost first; empty: one element
}

struct TensorPayload {
  name @0 :Text;
  tensor @1 :TensorShape;
}

struct FeedPayload {
  name @0 :Text;
  tensor @1 :TensorShape;  # of one tensor
  tensors @2 :UInt32;      # how many follow
}

struct NamedValue {
  name @0 :Text;
  value @1 :Text;
}

# Which programs of the executable to run: once before, for each step, once after.
struct Flow {
  load @0 :List(UInt32);
  main @1 :List(UInt32);
  save @2 :List(UInt32);
}

struct NamedProgram {
  index @0 :UInt32;
  name @1 :Text;
}

# A stream that the runtime connects its data to.
struct AnchorInfo {
  name @0 :Text;
  programs @1 :List(UInt32);
  handle @2 :Text;
  tensor @3 :TensorShape;
  direction @4 :Direction;
  isPerReplica @5 :Bool;
  useRemoteBuffers @6 :Bool;
  repeats @7 :UInt32;
}

struct ModelMetadata {
  replicationFactor @0 :UInt32;
  ipus @1 :UInt32;
  seedHandle @2 :Text;
  anchors @3 :List(AnchorInfo);
  executable @4 :Text;
  processes @5 :UInt32;
  ipuVersion @6 :UInt32;
  isPod @7 :Bool;
  isInference @8 :Bool;
  engineOptions @9 :List(NamedValue);
  deviceOptions @10 :List(NamedValue);
  flow @11 :Flow;
  programNames @12 :List(NamedProgram);
  deviceIterations @13 :UInt32;
}
