// Binary messages of the server: a JSON object and the arrays that it lists (crates/view/src/packet.rs).

const TYPES = { f32: Float32Array, u32: Uint32Array, u8: Uint8Array };

/** The object of a message, its arrays under `data` by name. */
export function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = (4 + length + 3) & ~3;
  head.data = {};
  for (const { name, type, at, count } of head.arrays) {
    head.data[name] = new TYPES[type](buffer, start + at, count);
  }
  return head;
}
