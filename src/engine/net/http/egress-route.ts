import type { EgressRules } from "./proxy-rules.ts"

const countryFields = ["country", "countryCode", "geo"]

/**
 * Returns the egress rules of a run with its requested country, as far as the operator's proxies
 * allow.
 */
export function egressRulesOf(
  { id, accountId }: { id: string; accountId: string | null },
  input: Record<string, unknown>,
): EgressRules {
  const countries = countryFields.map((name) => input[name])
  const country = countries.find(
    (value): value is string => typeof value === "string" && /^[a-z]{2}$/i.test(value),
  )
  return {
    run: id,
    account: accountId ?? "",
    ...(country ? { country: country.toLowerCase() } : {}),
  }
}
