import { readdirSync, readFileSync } from "node:fs"

/** Seconds of processor time of the server's processes, where they are on this machine. */
export function databaseSeconds(): number {
  let ticks = 0
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("postgres")) continue
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")
      // Its own, and those of its children that have ended.
      for (const field of [11, 12, 13, 14]) ticks += Number(fields[field])
    } catch {
      // It has just ended.
    }
  }
  return ticks / 100
}
