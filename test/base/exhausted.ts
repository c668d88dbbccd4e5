/** Opens every file descriptor that the process may have, and watches its usage. */
import { openSync, writeSync } from "node:fs"
import { descriptors, heapBytes, residentBytes } from "../../src/base/process-usage.ts"
import { watchHeap } from "../../src/engine/runtime/workers/heap-watch.ts"
import { MemoryWatch } from "../../src/engine/runtime/workers/memory-watch.ts"

const before = { resident: residentBytes(), heap: heapBytes() }
for (;;) {
  try {
    openSync("/dev/null", "r")
  } catch (error) {
    if ((error as { code?: string }).code !== "EMFILE") throw error
    break
  }
}
const stopHeap = watchHeap()
const memory = new MemoryWatch(() => [])
memory.start()
const after = { resident: residentBytes(), heap: heapBytes(), open: descriptors()?.open }
// Each watch checks several times.
await Bun.sleep(1_500)
stopHeap()
writeSync(1, JSON.stringify({ before, after: { ...after, open: String(after.open) } }))
process.exit(0)
