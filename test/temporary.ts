import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * Returns a new folder that is removed when this process ends, however it ends: `bun test` emits no
 * "exit" event, and ends its workers with a signal. A shell waits for the end of its stdin and then
 * removes the folder.
 */
export function processFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  const command = ["sh", "-c", 'cat > /dev/null; rm -rf "$1"', "sh", folder]
  Bun.spawn(command, { stdin: "pipe", stdout: "ignore", stderr: "ignore" }).unref()
  return folder
}
