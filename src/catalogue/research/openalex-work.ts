import { distinct, textList, textOrNull } from "../../extract/text.ts"

interface Named {
  id?: string | null
  display_name?: string | null
}

interface Authorship {
  author_position?: string
  author?: (Named & { orcid?: string | null }) | null
  raw_author_name?: string
  is_corresponding?: boolean
  institutions?: (Named & { country_code?: string | null })[] | null
  countries?: string[]
}

interface Location {
  landing_page_url?: string | null
  pdf_url?: string | null
  license?: string | null
  source?: (Named & Record<string, unknown>) | null
}

/** A work as OpenAlex gives it; ids are addresses. */
export interface Work {
  id: string
  ids?: Record<string, string | null | undefined>
  authorships?: Authorship[] | null
  primary_location?: Location | null
  best_oa_location?: Location | null
  biblio?: Record<string, unknown> | null
  open_access?: Record<string, unknown> | null
  primary_topic?: Named | null
  topics?: Named[] | null
  keywords?: (Named & { keyword?: string | null })[] | null
  concepts?: Named[] | null
  funders?: Named[] | null
  awards?: { funder_display_name?: string | null; funder_award_id?: string | null }[] | null
  /** What records had before `funders` and `awards`. */
  grants?: { funder_display_name?: string | null; award_id?: string | null }[] | null
  counts_by_year?: { year?: number; cited_by_count?: number }[] | null
  abstract_inverted_index?: Record<string, number[]> | null
  [field: string]: unknown
}

/** The last part of an address such as https://openalex.org/W1 or https://orcid.org/0000-…. */
export function bareId(address: unknown): string | null {
  return textOrNull(textOrNull(address)?.replace(/\/+$/, "").replace(/^.*\//, ""))
}

/** The words put back at their positions. */
export function abstractOf(index: Work["abstract_inverted_index"]): string | null {
  const words: string[] = []
  for (const [word, positions] of Object.entries(index ?? {})) {
    for (const position of positions ?? []) words[position] = word
  }
  return textOrNull(words.filter((word) => word !== undefined).join(" "))
}

/** Older records tell an author's countries by the institutions alone. */
export function countriesOf({ countries, institutions }: Authorship): string[] {
  if (Array.isArray(countries)) return textList(countries)
  return distinct((institutions ?? []).flatMap((one) => textOrNull(one.country_code) ?? []))
}

export function awardsOf(work: Work): { funder: string | null; awardId: string | null }[] {
  const grants = (work.grants ?? []).map((one) => ({ ...one, funder_award_id: one.award_id }))
  return (work.awards ?? grants).map((one) => ({
    funder: textOrNull(one.funder_display_name),
    awardId: textOrNull(one.funder_award_id),
  }))
}
