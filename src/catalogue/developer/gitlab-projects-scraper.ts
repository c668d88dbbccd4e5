import { type Static, Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { at } from "../../extract/embedded.ts"
import { absoluteUrl } from "../../extract/html.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { textList, textOrNull, unseen } from "../../extract/text.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed } from "../outcome.ts"

const pageSize = 100

const orders = {
  stars: "star_count",
  activity: "last_activity_at",
  created: "created_at",
  updated: "updated_at",
  name: "name",
  similarity: "similarity",
} as const

const item = itemObject({
  input: Type.String({ description: "The entry of queries as it was given." }),
  query: Type.String({ description: "The same." }),
  position: Type.Integer({ description: "Place in the query's results, from 1." }),
  id: Type.Integer({ description: "GitLab's number of the project." }),
  name: Type.String({ description: "Name." }),
  path: Type.String({ description: "Last part of the address." }),
  fullPath: Type.String({ description: "Path with its groups." }),
  fullName: textField("Name with those of its groups."),
  namespace: textField("Path of the group or user that owns it."),
  namespaceKind: textField("group or user."),
  url: Type.String({ description: "The project's page." }),
  description: textField("What the project says of itself."),
  stars: Type.Integer({ description: "Stars." }),
  forks: integerField("Forks."),
  openIssues: integerField("Open issues; null where GitLab hides them."),
  topics: textsField("Topics."),
  visibility: Type.String({ description: "public, internal or private." }),
  defaultBranch: textField("Default branch."),
  license: textField("Key of the licence, as GitLab writes it; only for exact paths."),
  licenseName: textField("Name of the licence; only for exact paths."),
  isArchived: booleanField("It is archived: read-only."),
  isFork: Type.Boolean({ description: "It is a fork of another project." }),
  avatarUrl: textField("Picture."),
  readmeUrl: textField("Page of the README."),
  httpUrl: textField("HTTPS address to clone from."),
  sshUrl: textField("SSH address to clone from."),
  createdAt: textField("When it was created (ISO 8601, UTC)."),
  lastActivityAt: textField("When something last happened in it."),
})

type Project = Record<string, unknown>

const input = inputObject({
  queries: inputs.texts(
    "Words to search for, or exact paths such as group/project, or their addresses.",
    { max: 50 },
  ),
  maxPerQuery: inputs.count("Most projects of each search.", { max: 500, or: 20 }),
  orderBy: inputs.choice(
    ["stars", "activity", "created", "updated", "name", "similarity"],
    "Order of a search, the most or newest first.",
    "stars",
  ),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "gitlab-projects-scraper",
  name: "GitLab Projects",
  tagline: "Public GitLab.com projects by search words or exact path.",
  category: "developer",
  tier: "free",
  input,
  item,
  example: { queries: ["gitlab-org/gitlab", "static site generator"], maxPerQuery: 10 },
  pace: { "gitlab.com": { perSecond: 2, concurrency: 2 } },
  targets: (input) => input.queries,
  identify: (target) => ({ input: target, query: target }),

  async *scrape(target, ctx) {
    const base = new URL(ctx.secret("GITLAB_URL") ?? "https://gitlab.com").origin
    const path = projectPath(target, base)
    const projects = path ? exactProject(path, base, ctx) : foundProjects(target.trim(), base, ctx)
    let position = 0
    for await (const project of projects) {
      yield { input: target, query: target, position: ++position, ...projectItem(project, base) }
    }
  },
})

/** The path of an entry that has a slash; null for words, which may have one between blanks. */
function projectPath(target: string, base: string): string | null {
  const entry = target.trim()
  const address = /^(?:https?:\/\/|(?=gitlab\.com\/))(?:www\.)?([^/]+)\/([^?#]+)/i.exec(entry)
  if (!address && (!entry.includes("/") || /\s/.test(entry))) return null
  const known = !address || ["gitlab.com", new URL(base).host].includes(address[1]!.toLowerCase())
  const path = (address?.[2] ?? entry).replace(/\/-\/.*$/, "").replace(/(?:\.git)?\/*$/, "")
  if (!known || !/^[\w.-]+(?:\/[\w.-]+)+$/.test(path)) {
    throw new BadInput(`"${target}" is not the path of a GitLab project; write "group/project".`)
  }
  return path
}

function headersFor(ctx: Context): Record<string, string> {
  const token = ctx.secret("GITLAB_TOKEN")
  return token ? { "private-token": token } : {}
}

async function* exactProject(path: string, base: string, ctx: Context) {
  yield await ctx.json<Project>(`${base}/api/v4/projects/${encodeURIComponent(path)}`, {
    query: { license: true, statistics: false },
    headers: headersFor(ctx),
  })
}

async function* foundProjects(words: string, base: string, ctx: Context<Input>) {
  const { maxPerQuery, orderBy } = ctx.input
  const seen = new Set<string>()
  let left = maxPerQuery
  for (let page: string | null = "1"; page; ) {
    const answer = await ctx.get(`${base}/api/v4/projects`, {
      query: {
        search: words,
        order_by: orders[orderBy],
        sort: "desc",
        visibility: "public",
        per_page: Math.min(pageSize, maxPerQuery),
        page,
        simple: false,
      },
      headers: { accept: "application/json", ...headersFor(ctx) },
    })
    const projects = answer.json<Project[]>()
    if (!Array.isArray(projects)) throw new Changed("GitLab's answer is not a list of projects.")
    // Projects move between pages while they are read.
    const fresh = unseen(projects, seen, (project) => String(project.id))
    yield* fresh.slice(0, left)
    left -= fresh.length
    page = left > 0 && fresh.length > 0 ? answer.headers.get("x-next-page") : null
  }
}

function projectItem(project: Project, base: string) {
  const { id, name, path, path_with_namespace: fullPath, web_url: url } = project
  const stars = integerOrNull(project.star_count)
  if (
    typeof id !== "number" ||
    typeof name !== "string" ||
    typeof path !== "string" ||
    typeof fullPath !== "string" ||
    typeof url !== "string" ||
    stars === null
  ) {
    throw new Changed("GitLab's answer holds something that is no project.")
  }
  const topics = textList(project.topics)
  return {
    id,
    name,
    path,
    fullPath,
    fullName: textOrNull(project.name_with_namespace),
    namespace: textOrNull(at(project, "namespace", "full_path")),
    namespaceKind: textOrNull(at(project, "namespace", "kind")),
    url,
    description: textOrNull(project.description)?.trim() ?? null,
    stars,
    forks: integerOrNull(project.forks_count),
    openIssues: integerOrNull(project.open_issues_count),
    topics: topics.length > 0 ? topics : textList(project.tag_list),
    // What GitLab shows to strangers is public, and then it does not say so.
    visibility: textOrNull(project.visibility) ?? "public",
    defaultBranch: textOrNull(project.default_branch),
    license: textOrNull(at(project, "license", "key")),
    licenseName: textOrNull(at(project, "license", "name")),
    isArchived: typeof project.archived === "boolean" ? project.archived : null,
    isFork: project.forked_from_project != null,
    avatarUrl: absoluteUrl(textOrNull(project.avatar_url), base),
    readmeUrl: textOrNull(project.readme_url),
    httpUrl: textOrNull(project.http_url_to_repo),
    sshUrl: textOrNull(project.ssh_url_to_repo),
    createdAt: isoDate(project.created_at),
    lastActivityAt: isoDate(project.last_activity_at),
  }
}
