import { type Context, once } from "../kit/index.ts"
import { homePage, scriptsOf } from "./scripts.ts"

/** Forms in which the site's scripts write a query. */
const queries = [
  /queryId:["`](?<id>[\w-]{10,40})["`],operationName:["`](?<name>\w{1,80})["`]/g,
  /params:\{id:["`](?<id>[\w-]{10,40})["`](?:,metadata:\{[^{}]{0,500}\})?[^{}]{0,2000}?name:["`](?<name>\w{1,80})["`]/g,
]
/** Name of the main script of a build. The others are many and small. */
const main = ["main."]

/** Returns the ID that the site's own scripts now have for a query; undefined if they have none. */
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
  const visible = await homePage(cookies, ctx)
  if (!visible) return ids
  for await (const script of scriptsOf(visible, ctx, { wanted: main })) {
    for (const query of queries) {
      for (const { groups } of script.text().matchAll(query)) ids.set(groups!.name!, groups!.id!)
    }
  }
  return ids
}
