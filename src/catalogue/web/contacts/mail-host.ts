import { mailProviderOf } from "../../../extract/contact/index.ts"
import { JsonReader } from "../../../extract/embedded/index.ts"
import { assertScrapeError, type Context, NotFound } from "../../kit/index.ts"
import { ifAvailable } from "../page/open.ts"
import providerNamesTable from "./mail-providers.json"

export interface MailHost {
  /** Whether the domain accepts mail; null if DNS could not be queried. */
  mxFound: boolean | null
  /** Mail servers by preference. */
  mxHosts: string[]
  mailProvider: string | null
}

const providerNames: Readonly<Record<string, string>> = providerNamesTable

/** Returns the operator of a domain's mail, from its MX records. No mail server is contacted. */
export async function mailHost(domain: string, ctx: Context): Promise<MailHost> {
  try {
    const records = new JsonReader([await ctx.dns(domain, "MX")].flat()).list()
    const mxHosts = records
      .toSorted((a, b) => (a.number("priority") ?? 0) - (b.number("priority") ?? 0))
      .map((record) => (record.text("exchange") ?? "").toLowerCase().replace(/\.$/, ""))
      // A single "." means that the domain accepts no mail.
      .filter((host) => host !== "")
    const provider = mailProviderOf(mxHosts)
    return {
      mxFound: mxHosts.length > 0,
      mxHosts,
      mailProvider: provider === null ? null : (providerNames[provider] ?? provider),
    }
  } catch (error) {
    assertScrapeError(error, ctx)
    if (error instanceof NotFound) return { mxFound: false, mxHosts: [], mailProvider: null }
    ctx.log(`The mail servers of ${domain} are unknown: ${error.message}`, "warning")
    return { mxFound: null, mxHosts: [], mailProvider: null }
  }
}

/** Returns the texts of a domain's TXT records; none if DNS cannot be queried. */
export async function textRecords(domain: string, ctx: Context): Promise<string[]> {
  const records = [(await ifAvailable(ctx, () => ctx.dns(domain, "TXT"))) ?? []].flat(1)
  return (records as (string | string[])[]).map((record) => [record].flat().join(""))
}
