import { brotliDecompressSync } from "node:zlib"
import type { Command } from "commander"
import { readerIsGone, writeStdout } from "./common/stdout.ts"

/** Compressed file that the build adds to the executable. */
export const noticesFile = "third-party.notices"

/** `trawl licenses`: prints the notices of third-party software in the executable. */
export function registerLicenses(program: Command): void {
  program
    .command("licenses")
    .description("Print the licences of the software in Trawl")
    .action(async () => {
      try {
        await writeStdout(await notices())
      } catch (error) {
        if (!readerIsGone(error)) throw error
      }
    })
}

async function notices(): Promise<string> {
  const name = noticesFile.split(".")[0]!
  const built = Bun.embeddedFiles.find((file) => (file as File).name.startsWith(name))
  if (built) return brotliDecompressSync(await built.bytes()).toString()
  const { collectNotices, noticesText } = await import("../../scripts/notices.ts")
  return noticesText(collectNotices(`${import.meta.dir}/../..`))
}
