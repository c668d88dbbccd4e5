import { isOrganisation, isPersonName } from "../text/person-names.ts"
import { type AuthorCandidate, authorFeatureNames } from "./author-features.ts"
import { nameFeatureNames } from "./name-features.ts"
import type { Candidate } from "./scorer.ts"

/**
 * A second score for the likeliest names: each with the features of all its positions, compared with the
 * other names of the page. A name in a byline counts against the organisation in the page's data.
 */
export type WeighedName = Candidate

const togetherNames = [
  "chance",
  "odds of all places",
  "odds of a place",
  "places",
  "chance where stated",
  "chance where shown",
  "stated and shown",
  "rank",
  "next chance",
  "ahead of next",
  "chance of a person",
  "chance of no person",
  "ahead of a person",
  "chance of a person shown",
  "chance of a person stated",
  "chance of neighbour",
  "neighbours",
  "names expected",
  "likely people",
  "chance of a longer name",
  "chance of a part",
]
/** Includes the features of the name's likeliest position. */
export const weighedFeatureNames = [...togetherNames, ...authorFeatureNames]

const maxWeighed = 8
const likely = 0.1
const visibleIndex = nameFeatureNames.length

interface Name {
  key: string
  chance: number
  stated: number
  visible: number
  odds: number
  positions: number
  groups: Set<string>
  isPerson: boolean
  isOffice: boolean
  best: AuthorCandidate
}

export function weighNames(candidates: AuthorCandidate[], chances: number[]): WeighedName[] {
  const names = gather(candidates, chances)
  const expected = names.reduce((sum, { chance }) => sum + chance, 0)
  const people = names.filter((name) => isLikelyPerson(name) && name.chance > likely).length
  return names.slice(0, maxWeighed).map((name, rank) => {
    const { key, chance, stated, visible, odds, positions, groups } = name
    const others = names.filter((other) => !other.key.includes(key) && !key.includes(other.key))
    const longer = names.find((other) => other !== name && other.key.includes(key))
    const part = names.find((other) => other !== name && key.includes(other.key))
    const next = others[0]?.chance ?? 0
    const person = others.find(isLikelyPerson)
    const neighbours = others.filter((other) =>
      [...other.groups].some((group) => groups.has(group)),
    )
    return {
      key,
      features: [
        chance,
        odds,
        odds / positions,
        positions,
        stated,
        visible,
        stated > 0 && visible > 0 ? 1 : 0,
        rank,
        next,
        chance - next,
        person?.chance ?? 0,
        others.find(({ isPerson }) => !isPerson)?.chance ?? 0,
        person ? chance - person.chance : 1,
        person?.visible ?? 0,
        person?.stated ?? 0,
        neighbours[0]?.chance ?? 0,
        neighbours.length,
        expected,
        people,
        longer?.chance ?? 0,
        part?.chance ?? 0,
        ...name.best.features,
      ],
      words: [],
    }
  })
}

const isLikelyPerson = ({ isPerson, isOffice }: Name) => isPerson && !isOffice

/** The likeliest first. */
function gather(candidates: AuthorCandidate[], chances: number[]): Name[] {
  const names = new Map<string, Name>()
  for (const [at, candidate] of candidates.entries()) {
    const { key, name, group, features } = candidate
    const chance = chances[at]!
    let known = names.get(key)
    if (!known) {
      known = {
        key,
        chance: -1,
        stated: 0,
        visible: 0,
        odds: 0,
        positions: 0,
        groups: new Set(),
        isPerson: isPersonName(name),
        isOffice: isOrganisation(name),
        best: candidate,
      }
      names.set(key, known)
    }
    if (chance > known.chance) [known.chance, known.best] = [chance, candidate]
    if (features[visibleIndex] === 1) known.visible = Math.max(known.visible, chance)
    else known.stated = Math.max(known.stated, chance)
    known.odds += logOdds(chance)
    known.positions++
    known.groups.add(group)
  }
  return [...names.values()].sort((a, b) => b.chance - a.chance)
}

const min = 1e-4
const logOdds = (chance: number) => Math.log(Math.max(chance, min) / Math.max(1 - chance, min))

/** Returns the chance of each candidate in the second look: that of its name. */
export function chancesOfNames(
  candidates: AuthorCandidate[],
  weighed: WeighedName[],
  chances: number[],
): number[] {
  const byKey = new Map(weighed.map(({ key }, at) => [key, chances[at]!]))
  return candidates.map(({ key }) => byKey.get(key) ?? 0)
}
