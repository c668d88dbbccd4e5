import { absoluteUrl, textList, textOrNull } from "../../extract/core/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  cursor,
  defineScraper,
  field,
  inputs,
  items,
  ownUrl,
  type Row,
  readRows,
  recordOf,
  required,
} from "../kit/index.ts"

const pageSize = 100

const orders = {
  stars: "star_count",
  activity: "last_activity_at",
  created: "created_at",
  updated: "updated_at",
  name: "name",
  similarity: "similarity",
} as const

const project = recordOf<Row>()({
  id: required(field.integer("id", "GitLab's ID of the project.")),
  name: required(field.text("name", "Name.")),
  path: required(field.text("path", "Last part of the URL.")),
  fullPath: required(field.text("path_with_namespace", "Path including the groups.")),
  fullName: field.text("name_with_namespace", "Name including those of the groups."),
  namespace: field.text("namespace.full_path", "Path of the group or user that owns the project."),
  namespaceKind: field.text("namespace.kind", "Type of namespace: group or user."),
  url: required(field.text("web_url", "URL of the project.")),
  description: field.text("description", "Description of the project.", (text) => text.trim()),
  stars: required(field.integer("star_count", "Number of stars.")),
  forks: field.integer("forks_count", "Number of forks."),
  openIssues: field.integer(
    "open_issues_count",
    "Number of open issues; null if GitLab hides them.",
  ),
  topics: field.texts(topicsOf, "Topics."),
  // Projects that GitLab returns without a token are public; the response does not state it.
  visibility: required(
    field.text((row) => row.visibility ?? "public", "Visibility: public, internal or private."),
  ),
  defaultBranch: field.text("default_branch", "Default branch."),
  license: field.text("license.key", "GitLab's key of the licence; only for exact paths."),
  licenseName: field.text("license.name", "Name of the licence; only for exact paths."),
  isArchived: field.boolean("archived", "Whether the project is archived (read-only)."),
  isFork: field.flag((row) => row.forked_from_project != null, "Whether the project is a fork."),
  avatarUrl: field.text("avatar_url", "URL of the image."),
  readmeUrl: field.text("readme_url", "URL of the README."),
  httpUrl: field.text("http_url_to_repo", "HTTPS URL for cloning."),
  sshUrl: field.text("ssh_url_to_repo", "SSH URL for cloning."),
  createdAt: field.time("created_at", "Time of creation (ISO 8601, UTC)."),
  lastActivityAt: field.time("last_activity_at", "Time of the last activity (ISO 8601, UTC)."),
})

export default defineScraper({
  slug: "gitlab-projects-scraper",
  name: "GitLab Projects",
  tagline: "Public GitLab.com projects by search words or exact path.",
  category: "developer",
  input: {
    queries: inputs.texts(
      "Search words, project paths, for example gitlab-org/gitlab, or GitLab URLs.",
      { max: 50 },
    ),
    maxPerQuery: inputs.count("Maximum projects per search", { max: 500, or: 20 }),
    orderBy: inputs.choice(orders, "Sort order of a search, highest or newest first.", "stars"),
  },
  item: {
    input: items.requiredText("Entry of `queries` as written in the input."),
    query: items.requiredText("Same as `input`."),
    position: items.requiredInteger("Position in the query's results, from 1."),
    ...project.fields,
  },
  example: { queries: ["gitlab-org/gitlab", "static site generator"], maxPerQuery: 10 },
  probe: {
    input: { queries: ["gitlab-org/gitlab"], maxPerQuery: 1 },
    expect: [
      "items.length equals 1",
      "items[0].id equals 278964",
      'items[0].fullPath equals "gitlab-org/gitlab"',
      "items[0].stars gte 3000",
      "items[0].lastActivityAt fresh 7",
    ],
  },
  rateLimit: { "gitlab.com": { perSecond: 2, concurrency: 2 } },
  pages: { rows: 100, cap: "maxPerQuery" },
  targets: (input) => input.queries,
  identify: (target) => ({ input: target, query: target }),

  async *scrape(target, ctx) {
    const base = ownUrl("GITLAB_URL", ctx.secret("GITLAB_URL"))?.origin ?? "https://gitlab.com"
    const path = projectPath(target, base)
    const projects = path ? exactProject(path, base, ctx) : searchProjects(target.trim(), base, ctx)
    let position = 0
    const read = (row: Row) => {
      const avatar_url = absoluteUrl(textOrNull(row.avatar_url), base)
      const facts = project.read({ ...row, avatar_url })
      return { input: target, query: target, position: ++position, ...facts }
    }
    yield* readRows(projects, read, ctx)
  },
})

/**
 * Returns the path of an entry with a slash, or null for keywords, which may have a slash between
 * spaces.
 */
function projectPath(target: string, base: string): string | null {
  const entry = target.trim()
  const url = /^(?:https?:\/\/|(?=gitlab\.com\/))(?:www\.)?([^/]+)\/([^?#]+)/i.exec(entry)
  if (!url && (!entry.includes("/") || /\s/.test(entry))) return null
  const known = !url || ["gitlab.com", new URL(base).host].includes(url[1]!.toLowerCase())
  const path = (url?.[2] ?? entry).replace(/\/-\/.*$/, "").replace(/(?:\.git)?(?<!\/)\/*$/, "")
  if (!known || !/^[\w.-]+(?:\/[\w.-]+)+$/.test(path)) {
    throw new BadInput(`"${target}" is not a GitLab project path. Use the form "group/project".`)
  }
  return path
}

function headersFor(ctx: Context): Record<string, string> {
  const token = ctx.secret("GITLAB_TOKEN")
  return token ? { "private-token": token } : {}
}

async function* exactProject(path: string, base: string, ctx: Context) {
  yield await ctx.json<Row>(`${base}/api/v4/projects/${encodeURIComponent(path)}`, {
    query: { license: true, statistics: false },
    headers: headersFor(ctx),
  })
}

function searchProjects(
  words: string,
  base: string,
  ctx: Context<{ maxPerQuery: number; orderBy: keyof typeof orders }>,
): AsyncGenerator<Row> {
  const { maxPerQuery, orderBy } = ctx.input
  const request = async (page = "1") => {
    const response = await ctx.get(`${base}/api/v4/projects`, {
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
    const rows = response.json<Row[]>()
    if (!Array.isArray(rows)) throw new Changed("GitLab's response is not a list of projects.")
    return { rows, next: response.headers.get("x-next-page") }
  }
  return cursor(request, { cap: maxPerQuery, keyOf: ({ id }) => textOrNull(id) })
}

function topicsOf({ topics, tag_list }: Row): string[] {
  const current = textList(topics)
  return current.length > 0 ? current : textList(tag_list)
}
