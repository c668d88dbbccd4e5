import { isoDate, textOrNull } from "../../extract/core/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  nullable,
  orNull,
  type Row,
  readRows,
  record,
  recordOf,
  required,
} from "../kit/index.ts"
import { github, githubObject, githubScraper, listOf, profileOf } from "./github.ts"
import { fullNameOf, repositoryFields } from "./repository.ts"

const eventsVisible = 30
const repositoriesVisible = 10

const event = recordOf<Row>()({
  id: field.text("id", "GitHub's ID of the event."),
  type: field.text("type", "Type of event, for example PushEvent."),
  // Events without a repository have the name "/".
  repo: field.text("repo.name", "Repository (owner/name); null if the event has none.", (name) =>
    name === "/" ? null : name,
  ),
  repoUrl: field.text("repo.name", "URL of the repository; null if the event has none.", (name) =>
    name === "/" ? null : `https://github.com/${name}`,
  ),
  action: field.text("payload.action", "Action of the event, for example opened or closed."),
  title: field.text((row) => {
    const { title, name, tag_name: tag } = subjectOf(row)
    return textOrNull(title) ?? textOrNull(name) ?? tag
  }, "Title of the issue or pull request, or name or tag of the release."),
  url: field.text((row) => subjectOf(row).html_url, "URL of the issue, pull request or release."),
  createdAt: field.time("created_at", "Time of the event (ISO 8601, UTC)."),
})

const ownRepository = record({
  fullName: required(field.text(fullNameOf, "Full name (owner/name).")),
  stars: field.integer("stargazers_count|watchers", "Number of stars."),
  language: field.text("language", "Main programming language."),
  pushedAt: field.time("pushed_at", "Time of the last push (ISO 8601, UTC)."),
  url: repositoryFields.url,
})

const user = record({
  input: items.requiredText("User as written in the input."),
  login: required(field.text("login", "Login, as GitHub writes it.")),
  id: required(field.integer("id", "GitHub's ID of the account.")),
  type: field.text("type", "Type of account: User, Organization or Bot."),
  name: field.text("name", "Name."),
  company: field.text("company", "Name of the company."),
  blog: field.text("blog", "Website, as the user wrote it.", (blog) => blog.trim()),
  blogUrl: field.text("blog", "Website with https:// added if it was missing.", withScheme),
  location: field.text("location", "Location, as displayed."),
  email: field.text("email", "Public email address; GitHub returns it only if a token is set."),
  bio: field.text("bio", "Text about the user."),
  twitterUsername: field.text("twitter_username", "Username on X."),
  url: required(field.text(profileOf, "URL of the profile.")),
  avatarUrl: field.text("avatar_url", "URL of the avatar."),
  followersCount: field.integer("followers", "Number of followers."),
  followingCount: field.integer("following", "Number of users that this user follows."),
  publicRepos: field.integer("public_repos", "Number of public repositories."),
  publicGists: field.integer("public_gists", "Number of public gists."),
  hireable: field.boolean("hireable", "Whether the user is available for hire."),
  isSiteAdmin: field.boolean("site_admin", "Whether the user works for GitHub."),
  createdAt: field.time("created_at", "Time of creation of the account (ISO 8601, UTC)."),
  updatedAt: field.time("updated_at", "Time of the last change of the profile (ISO 8601, UTC)."),
  recentEvents: nullable(
    items.objects(
      `The newest ${eventsVisible} public events; null unless requested.`,
      event.fields,
    ),
  ),
  eventCounts: nullable(items.countsByName("Number of events by type among the newest 100.")),
  topRepos: nullable(
    items.objects(
      `The ${repositoriesVisible} most recently pushed own repositories.`,
      ownRepository.fields,
    ),
  ),
  lastActiveAt: items.text("Time of the newest public event (ISO 8601, UTC)."),
})

export default defineScraper({
  slug: "github-user-scraper",
  name: "GitHub Users",
  tagline: "Profiles of GitHub users and organizations, optionally with recent public activity.",
  notServed: ["private email"],
  ...githubScraper,
  input: {
    usernames: inputs.texts(
      "Logins of users or organizations, for example torvalds, or GitHub URLs.",
      { max: 200 },
    ),
    includeActivity: inputs.flag(
      "Whether to include public events of the last 30 days and recently pushed repositories.",
    ),
  },
  item: user,
  example: { usernames: ["octocat"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].id equals 583231",
      'items[0].login equals "octocat"',
      "items[0].followersCount gte 10000",
      'items[0].createdAt matches "^2011-01-25"',
    ],
  },
  targets: (input) => input.usernames,

  async *scrape(target, ctx) {
    const requested = loginOf(target)
    const { object } = await githubObject(`/users/${requested}`, ctx)
    const { login } = object
    if (typeof login !== "string") throw new Changed("GitHub's response has no user.")
    const active = ctx.input.includeActivity
    const events = active
      ? await orNull(ctx, `events of ${login}`, async () =>
          listOf(await github(`/users/${requested}/events/public?per_page=100&page=1`, ctx)),
        )
      : null
    const topRepos = active
      ? await orNull(ctx, `repositories of ${login}`, () => repositoriesOf(requested, ctx))
      : null
    yield user.read({
      ...object,
      input: target,
      recentEvents: events?.slice(0, eventsVisible).map((row) => event.read(row)),
      eventCounts: events && countByType(events),
      topRepos,
      lastActiveAt: isoDate(events?.[0]?.created_at),
    })
  },
})

function loginOf(target: string): string {
  const url = /^(?:https?:\/\/)?(?:www\.)?github\.com\/(?:orgs\/)?([^/?#]+)/i.exec(target.trim())
  const login = (url?.[1] ?? target.trim()).replace(/^@/, "")
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){0,38}$/.test(login)) {
    throw new BadInput(`"${target}" is not a GitHub user. Use a login or a profile URL.`)
  }
  return login
}

async function repositoriesOf(login: string, ctx: Context) {
  const response = await github(`/users/${login}/repos?per_page=100&sort=pushed&type=owner`, ctx)
  const repos = await Array.fromAsync(readRows(listOf(response), ownRepository.read, ctx))
  return repos.slice(0, repositoriesVisible)
}

function subjectOf({ payload }: Row): Row {
  const { issue, pull_request, release } = (payload ?? {}) as Record<string, Row>
  return issue ?? pull_request ?? release ?? {}
}

function withScheme(blog: string): string {
  const url = blog.trim()
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`
}
function countByType(events: Row[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const type of events.flatMap((event) => textOrNull(event.type) ?? [])) {
    counts[type] = (counts[type] ?? 0) + 1
  }
  return counts
}
