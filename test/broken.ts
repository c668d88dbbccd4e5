import { type Exchange, exchangeBody, type ReplayCase } from "../src/engine/fetch/replay/case.ts"
import { isErrorItem } from "../src/engine/runtime/run/checkpoints.ts"
import { type ReplayResult, replay } from "./corpus-run.ts"

/** Ways in which a response can be broken although its status reports success. */
export const breakages = {
  challenge: (): string =>
    `<!doctype html><html><head><title>Just a moment...</title></head><body>
     <script>window._cf_chl_opt={cType:"managed"};</script><div id="challenge-form"></div></body></html>`,
  shell: (): string =>
    `<!doctype html><html><head><title>App</title></head><body><div id="root"></div>
     <noscript>You need to enable JavaScript to run this app.</noscript>
     <script src="/main.js"></script></body></html>`,
  half: (body: string): string => body.slice(0, body.length / 2),
  renamed: (body: string): string =>
    body
      .replace(/"([A-Za-z_@$][\w@$:.-]*)"(\s*:)/g, '"zz_$1"$2')
      .replace(/\b(class|id|itemprop|itemtype|property|name|data-[\w-]+)=(["'])/g, "$1=$2zz-")
      .replace(/<(\/?)(item|entry|url|loc|article|channel|feed)\b/gi, "<$1zz-$2"),
} as const
export type Breakage = keyof typeof breakages

const textual = /json|html|xml|text|javascript/i

/** Returns the case with every text body broken in one way. */
export function broken(recorded: ReplayCase, how: Breakage): ReplayCase {
  const exchanges = recorded.exchanges.map((exchange): Exchange => {
    const type = String(
      exchange.headers?.["content-type"] ?? exchange.headers?.["Content-Type"] ?? "text/html",
    )
    if (!textual.test(type) || exchange.status >= 300) return exchange
    const body = new TextDecoder().decode(exchangeBody(recorded.folder, exchange))
    const headers =
      how === "challenge" || how === "shell" ? { "content-type": "text/html" } : exchange.headers
    return { ...exchange, headers, bytes: new TextEncoder().encode(breakages[how](body)) }
  })
  return { ...recorded, exchanges }
}

function filled(item: Record<string, unknown>): string[] {
  return Object.keys(item).filter((key) => {
    const value = item[key]
    return (
      value !== null &&
      value !== undefined &&
      value !== "" &&
      !(Array.isArray(value) && value.length === 0)
    )
  })
}

/** The fields of an item that name its target; searches name it as their query. */
const targetOf = ({ input, query }: Record<string, unknown>) => JSON.stringify(input ?? query)

/**
 * Returns what is wrong with the result of a case whose responses were broken, for each breakage: a
 * success without items, or items that have lost most of the values of the unbroken case. Undefined
 * if every breakage was reported or did no harm.
 */
export async function unnoticed(
  recorded: ReplayCase,
  ended: Promise<ReplayResult> = replay(recorded),
): Promise<string | undefined> {
  const whole = await ended
  const good = whole.items.filter((item) => !isErrorItem(item))
  if (whole.error || good.length === 0) return
  const found: string[] = []
  for (const how of Object.keys(breakages) as Breakage[]) {
    const harm = harmDone(whole.items, await replay(broken(recorded, how)), how)
    if (harm) found.push(`${how}: ${harm}`)
  }
  return found.join("\n") || undefined
}

/** Returns how a breakage changed the items of the whole case, unless the run reports it. */
function harmDone(
  whole: ReplayResult["items"],
  hurt: ReplayResult,
  how: Breakage,
): string | undefined {
  const wholeGood = whole.filter((item) => !isErrorItem(item))
  const hurtGood = hurt.items.filter((item) => !isErrorItem(item))
  const newErrors = hurt.items.length - hurtGood.length - (whole.length - wholeGood.length)
  if (hurt.error || newErrors > 0) return
  if (hurtGood.length === 0) {
    const failed = new Set(hurt.items.filter(isErrorItem).map(targetOf))
    const stated = wholeGood.every((item) => failed.has(targetOf(item)))
    return stated ? undefined : "success without any item"
  }
  const before = Math.max(...wholeGood.map((item) => filled(item).length))
  const after = Math.max(...hurtGood.map((item) => filled(item).length))
  const cover = how === "challenge" || how === "shell" ? 0.5 : 0.34
  if (after < before * cover) {
    return `an item with ${after} of ${before} fields: ${JSON.stringify(hurtGood[0]).slice(0, 160)}`
  }
}
