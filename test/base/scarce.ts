// Opens files until no descriptor is left, then starts a thread. Run by descriptor-reserve.test.ts.
import { openSync } from "node:fs"
import { reserveDescriptors } from "../../src/base/descriptor-reserve.ts"
import { startThread } from "../../src/base/thread.ts"

const isReserved = process.argv[2] === "reserved"
if (isReserved) reserveDescriptors(() => {})
try {
  while (true) openSync("/dev/null", "r")
} catch {}
const url = new URL("./echo-thread.ts", import.meta.url).href
startThread(url, { onFailure: (reason) => console.log(`failed: ${reason}`) })
await Bun.sleep(500)
console.log("alive")
process.exit(0)
