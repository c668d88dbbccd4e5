import type { CDPSession, Page } from "puppeteer-core"
import type { StorageToSet } from "../../sessions/run-session.ts"
import type { OriginStorage } from "../../sessions/state.ts"

/** Maximum characters of one origin's storage. */
const maxCharacters = 200_000

/** An isolated world: scripts of the page can neither see nor change its state. */
const worldName = "storage"

/** The script that a tab has, which serves several leases of its run. */
const provided = new WeakMap<CDPSession, { source: string; identifier: string }>()

/** Gives pages their local storage before their first script; what a page has stored itself remains. */
export async function setStorage(cdp: CDPSession, storage: StorageToSet): Promise<void> {
  const entries = entriesByOrigin(storage)
  const source = `(${give})(${JSON.stringify(entries)})`
  const known = provided.get(cdp)
  if (known?.source === source || (!known && Object.keys(entries).length === 0)) return
  if (known) {
    const { identifier } = known
    await cdp.send("Page.removeScriptToEvaluateOnNewDocument", { identifier })
  }
  await cdp.send("Page.enable")
  const script = { source, worldName }
  const { identifier } = await cdp.send("Page.addScriptToEvaluateOnNewDocument", script)
  provided.set(cdp, { source, identifier })
}

type Entry = [name: string, value: string, stale: string | null]

function entriesByOrigin({ origins, stale }: StorageToSet): Record<string, Entry[]> {
  const before = new Map(stale.map(({ origin, entries }) => [origin, new Map(entries)]))
  return Object.fromEntries(
    origins.map(({ origin, entries }) => [
      origin,
      entries.map(([name, value]) => [name, value, before.get(origin)?.get(name) ?? null]),
    ]),
  )
}

/** Runs in the page. */
const give = `(all) => {
  try {
    for (const [name, value, stale] of all[location.origin] ?? []) {
      const there = localStorage.getItem(name)
      if (there === null || there === stale) localStorage.setItem(name, value)
    }
  } catch {}
}`

/** Returns the local storage of a page's origin; null if there is none, or too much. */
export async function storageOf(page: Page): Promise<OriginStorage | null> {
  const originEntries = await page
    .evaluate(`(() => {
    try {
      if (!/^https?:/.test(location.origin)) return null
      const entries = Object.entries({ ...localStorage })
      return JSON.stringify(entries).length > ${maxCharacters} ? null : [location.origin, entries]
    } catch {
      return null
    }
  })()`)
    .catch(() => null)
  if (!Array.isArray(originEntries)) return null
  const [origin, entries] = originEntries as [string, [string, string][]]
  return entries.length > 0 ? { origin, entries } : null
}
