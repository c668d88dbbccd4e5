import type { Static } from "@sinclair/typebox"
import type { InputIssue } from "../../catalogue/kit/index.ts"
import { type LoginRecipe, siteOfHost } from "../../engine/net/sessions/login.ts"
import { hostOf } from "../../engine/net/sessions/state.ts"
import { checkSelector, parseDocument, SelectorError } from "../../extract/core/index.ts"
import { listSiteSessions, siteSessionByName } from "../../store/accounts/site-sessions.ts"
import type { Db } from "../../store/db/database.ts"
import { issue } from "../http/body.ts"
import { invalid } from "../http/errors.ts"
import type { newSessionBody } from "../schemas/session.ts"
import { isHost } from "./import.ts"

type Login = NonNullable<Static<typeof newSessionBody>["login"]>

/** Hosts as they are stored; a URL is read as its host. @throws ApiError 400 */
export function checkedHosts(provided: readonly string[]): string[] {
  const hosts = provided.map((text) => {
    const plain = text
      .trim()
      .toLowerCase()
      .replace(/^\*?\./, "")
    return /^https?:\/\//.test(plain) ? hostOf(plain) : plain
  })
  const issues = hosts.flatMap((host, index): InputIssue[] => {
    if (isHost(host)) return []
    const message = `"${provided[index]}" is not a host that may have cookies of its own; write one such as shop.example.`
    return [{ ...issue(`hosts[${index}]`, message, "a host, for example shop.example"), index }]
  })
  if (issues.length > 0) throw invalid(issues, "body")
  return [...new Set(hosts)]
}

/** A recipe with the secrets that it had before and is not given again. @throws ApiError 400 */
export function checkedLogin(
  { steps, secrets }: Login,
  before: LoginRecipe | null = null,
): LoginRecipe {
  const known = { ...before?.secrets, ...secrets }
  const issues: InputIssue[] = []
  if (steps[0]?.type !== "goto") {
    issues.push(
      issue(
        "login.steps[0]",
        "login.steps[0]: the first step must be a goto.",
        "a goto step with a url",
      ),
    )
  }
  const used = new Set<string>()
  for (const [index, step] of steps.entries()) {
    const field = `login.steps[${index}]`
    const wrong = (name: string, message: string, expected: string) =>
      issues.push(issue(`${field}.${name}`, `${field}.${name}: ${message}`, expected))
    if (step.type === "goto" && !URL.canParse(step.url)) {
      wrong("url", `"${step.url}" is not an http or https URL.`, "a URL with http or https")
    }
    if ("selector" in step && step.selector !== undefined) {
      const why = selectorIssue(step.selector)
      if (why) wrong("selector", why, "a CSS selector")
    }
    if (step.type === "wait" && step.selector === undefined && step.milliseconds === undefined) {
      wrong("selector", "a wait needs a selector or milliseconds.", "one of the two")
    }
    if (step.type !== "fill") continue
    if ((step.text === undefined) === (step.secret === undefined)) {
      wrong("text", "a fill needs a text or the name of a secret, not both.", "one of the two")
    } else if (step.secret !== undefined) {
      used.add(step.secret)
      if (!Object.hasOwn(known, step.secret)) {
        const message = `there is no secret "${step.secret}"; add it to login.secrets.`
        wrong("secret", message, 'a name of "login.secrets"')
      }
    }
  }
  if (issues.length > 0) throw invalid(issues.slice(0, 20), "body")
  const stored = Object.entries(known).filter(([name]) => used.has(name))
  return { steps: steps as LoginRecipe["steps"], secrets: Object.fromEntries(stored) }
}

function selectorIssue(selector: string): string | null {
  try {
    checkSelector(selector, parseDocument(""))
    return null
  } catch (error) {
    if (error instanceof SelectorError) return error.message
    throw error
  }
}

/** The sites of the pages that a recipe opens. */
export function sitesOf({ steps }: LoginRecipe): string[] {
  const urls = steps.flatMap((step) => (step.type === "goto" ? [step.url] : []))
  return [...new Set(urls.map((url) => siteOfHost(hostOf(url))))]
}

/** Names in an error message. */
const listed = 20

/** @throws ApiError 400 if the account has no session of this name */
export async function requireSession(
  db: Db,
  accountId: string,
  name: string | null | undefined,
  part: "query" | "body" = "body",
): Promise<void> {
  if (name === null || name === undefined) return
  if (await siteSessionByName(db, accountId, name)) return
  const { rows } = await listSiteSessions(db, accountId, { limit: listed, offset: 0 })
  const known = rows.map((row) => row.name).join(", ")
  const advice = known
    ? `The account has ${known}.`
    : "Create it with POST /api/v1/sessions or in the console."
  const message = `There is no session "${name}". ${advice}`
  throw invalid([{ ...issue("session", message, "the name of a session"), actual: name }], part)
}
