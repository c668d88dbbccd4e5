import { words } from "../../core/index.ts"
import {
  aboutTheAuthor,
  afterName,
  author,
  companyWords,
  dayBeginnings,
  dayPrepositions,
  monthBeginnings,
  moreFrom,
  newsAgencies,
  noNames,
  prepositions,
  pressRanks,
  pressRoleWords,
  roleWords,
  writtenBy,
} from "./words.ts"

/**
 * The forms of bylines. Expressions that do not need `u` omit it: with both `i` and `u`, a list of words
 * takes about ten times as long.
 */

/** Words before a name in a byline, or in the text of a link to its author. */
export const leading = new RegExp(
  String.raw`^(?:(?:${words(
    words(prepositions, writtenBy, author, moreFrom),
    "fotos?",
    String.raw`\S*(?:experte|expertin|korrespondent|reporter)(?:in)?`,
  )})\s*(?:[:：]\s*|\s+))+`,
  "i",
)

/** A label alone in its line, the name being in the next. */
export const authorLabel = new RegExp(
  String.raw`^(?:by|von|par|por|${words(writtenBy, author, aboutTheAuthor)})\s*[:：]?$`,
  "i",
)

/** A line of its own that names the author: "Text: Ann Lee", "Posted on 4 May by Ann Lee". */
export const ownLine = new RegExp(
  String.raw`^(?:${[
    String.raw`(?:by|von|par|por|di|da|door|af|av)(?:\s+|\s*:\s*)`,
    String.raw`(?:${words(writtenBy, author)})\s*(?:[:：]\s*|\s+)`,
    String.raw`posted on .{6,30} by\s+`,
    String.raw`(?:veröffentlicht|publiziert|gepostet) .{4,40} von\s+`,
  ].join("|")})(\S.{2,70})$`,
  "i",
)

/** Texts of a byline or an author's meta that are not names. */
export const labels = new RegExp(`^(?:${words(noNames)})$`, "i")

/** Words that end a name in a byline, with everything after them. */
export const trailing = new RegExp(
  String.raw`\s*(?:[([|•·–—].*|\b(?:${[
    String.raw`\d{4}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}|\d{1,2}\.? \p{L}+ \d{4}`,
    `(?:${dayPrepositions}) (?:${dayBeginnings})|on (?:${monthBeginnings})`,
    String.raw`@\w+`,
    words(afterName),
  ].join("|")}).*)$`,
  "iu",
)

/** Parts of a byline that state a person's role. */
export const roles = new RegExp(String.raw`\b(?:${words(roleWords)})\b`, "i")

/** Roles of journalists in their bylines. */
export const pressRoles = new RegExp(`^(?:(?:${pressRanks}) )*(?:${words(pressRoleWords)})$`, "i")

/** Names of companies, papers, offices and news agencies. */
export const organisation = new RegExp(
  [
    String.raw`\b(?:${words(companyWords)})\b`,
    `^(?:${words(newsAgencies)})$`,
    String.raw`^(?:die|der|das|the|la|le|el|il|los|les)\s`,
  ].join("|"),
  "i",
)

/** In any language: universities, universidad, Universität. */
export const university = /\buniversit\p{L}+\b/iu
