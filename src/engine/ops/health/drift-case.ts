import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { type Probe, readExpectation } from "../../../catalogue/kit/index.ts"
import type { Environment } from "../../fetch/environment.ts"
import type { Expectation } from "../../fetch/replay/case.ts"
import { expectationsOf } from "../../fetch/replay/expectations.ts"
import { type Recording, recordEnvironment } from "../../fetch/replay/recording.ts"

/** Maximum stored cases per scraper. */
const storedCases = 5

/** The responses to a health probe, stored as a recorded case if the probe fails. */
export class DriftCase {
  private readonly name = new Date().toISOString().replaceAll(":", "-")
  private readonly unfinished: string
  private recording?: Recording

  constructor(
    private readonly folder: string,
    private readonly slug: string,
  ) {
    this.unfinished = join(folder, `.${slug}-${crypto.randomUUID()}`)
  }

  record(live: Environment, about: { slug: string; input: Record<string, unknown> }): Environment {
    if (about.slug !== this.slug) return live
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    this.recording = recordEnvironment(live, this.unfinished, { ...about, name: this.name })
    return this.recording.environment
  }

  /** Returns the folder of the case, which asserts the probe's expectations and facts of its items. */
  async keep(
    probe: Probe,
    items: readonly Record<string, unknown>[] = [],
  ): Promise<string | undefined> {
    if (!this.recording) return undefined
    const wanted = probe.expect.flatMap(asserted)
    await this.recording.save(items.length > 0 ? expectationsOf(items) : wanted)
    const ofScraper = join(this.folder, this.slug)
    mkdirSync(ofScraper, { recursive: true, mode: 0o700 })
    const path = join(ofScraper, this.name)
    renameSync(this.unfinished, path)
    this.dropOld(ofScraper)
    return path
  }

  /** Deletes the case. */
  drop(): void {
    rmSync(this.unfinished, { recursive: true, force: true })
  }

  private dropOld(folder: string): void {
    for (const name of readdirSync(folder).sort().slice(0, -storedCases)) {
      rmSync(join(folder, name), { recursive: true, force: true })
    }
  }
}

/** Returns the assertions of a case for an expectation of its probe. */
function asserted(line: string): Expectation[] {
  const read = readExpectation(line)
  if (typeof read === "string" || read.soft) return []
  const { path, operator, value } = read
  return operator === "share" || operator === "fresh" ? [] : [{ path, [operator]: value }]
}

/** Deletes recordings that an earlier process did not finish. */
export function dropUnfinished(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (name.startsWith(".")) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
