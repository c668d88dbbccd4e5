const frameMagic = 0xfd2fb528
const skippable = 0x184d2a50
const runLength = 1

/**
 * Returns whether a zstd-compressed body is complete. Decompression does not detect it: it returns
 * the part before the cut, or nothing.
 */
export function isWholeZstd(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  while (at < bytes.length) {
    const end = frameEnd(view, at)
    if (end === undefined || end > bytes.length) return false
    at = end
  }
  return true
}

/** Returns the end of the frame that starts at `start`; undefined if it is missing. */
function frameEnd(view: DataView, start: number): number | undefined {
  if (start + 8 > view.byteLength) return undefined
  const magic = view.getUint32(start, true)
  if ((magic & 0xfffffff0) === skippable) return start + 8 + view.getUint32(start + 4, true)
  // Decompression reports data that is not a frame.
  if (magic !== frameMagic) return view.byteLength
  const descriptor = view.getUint8(start + 4)
  const isSingle = (descriptor & 0x20) !== 0
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!
  let at = start + 5 + (isSingle ? 0 : 1) + dictionaryBytes + sizeBytes
  for (;;) {
    if (at + 3 > view.byteLength) return undefined
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    const isRunLength = ((header >> 1) & 3) === runLength
    at += 3 + (isRunLength ? 1 : header >> 3)
    if (header & 1) return at + ((descriptor & 4) !== 0 ? 4 : 0)
  }
}
