import { type Answer, type Context, Outcome, once } from "../kit/index.ts"

const page = "https://x.com/home"
const scriptsOf = "https://abs.twimg.com/"
/** Of the scripts that a page loads: the first ones name nearly all queries. */
const mostScripts = 40
const largestScript = 8_000_000

/** The site's scripts write a query as either of these. */
const queries = [
  /queryId:["`](?<id>[\w-]{10,40})["`],operationName:["`](?<name>\w{1,80})["`]/g,
  /params:\{id:["`](?<id>[\w-]{10,40})["`][^{}]{0,2000}?name:["`](?<name>\w{1,80})["`]/g,
]

/** The id that the site's own scripts have for a query now; undefined where they do not tell. */
export async function idInBundle(
  operation: string,
  cookies: Record<string, string>,
  ctx: Context,
): Promise<string | undefined> {
  const ids = await once(ctx, `x.bundle ${Object.keys(cookies).join()}`, () => idsNow(cookies, ctx))
  return ids.get(operation)
}

async function idsNow(cookies: Record<string, string>, ctx: Context): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const shown = await asked(page, ctx, cookies)
  const waiting = shown ? linked(shown, /https:\/\/abs\.twimg\.com\/[\w./-]+\.js/g) : []
  // The main script of a build first, for the others are many and small.
  waiting.sort((a, b) => Number(/\/main\./.test(b)) - Number(/\/main\./.test(a)))
  const known = new Set(waiting)
  for (let count = 0; waiting.length > 0 && count < mostScripts; count++) {
    const script = await asked(waiting.shift()!, ctx)
    if (!script) continue
    for (const query of queries) {
      for (const { groups } of script.text().matchAll(query)) ids.set(groups!.name!, groups!.id!)
    }
    for (const next of linked(script, /(?<=["'`])\.{1,2}\/[\w./-]+\.js(?=["'`])/g)) {
      if (known.has(next)) continue
      known.add(next)
      waiting.push(next)
    }
  }
  return ids
}

const linked = (answer: Answer, pattern: RegExp): string[] => {
  const urls = [...answer.text().matchAll(pattern)].flatMap(
    ([link]) => URL.parse(link, answer.url)?.href ?? [],
  )
  const isText = /\/(?:i18n|icons)\//
  return [...new Set(urls)].filter((url) => url.startsWith(scriptsOf) && !isText.test(url))
}

async function asked(
  url: string,
  ctx: Context,
  cookies: Record<string, string> = {},
): Promise<Answer | null> {
  try {
    const options = { identity: "browser" as const, maxBytes: largestScript, retries: 0 }
    return await ctx.get(url, { ...options, cookies })
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof Outcome)) throw error
    return null
  }
}
