import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { at } from "../../extract/embedded.ts"
import { booleanOrNull, integerOrNull } from "../../extract/numbers.ts"
import { textOrNull } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  textField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed } from "../outcome.ts"
import { type GithubObject, github, githubObject, githubPace, listOf } from "./github.ts"

const eventsShown = 30
const repositoriesShown = 10

const item = itemObject({
  input: Type.String({ description: "The user as it was asked for." }),
  login: Type.String({ description: "Login, as GitHub writes it." }),
  id: Type.Integer({ description: "GitHub's number of the account." }),
  type: textField("User, Organization or Bot."),
  name: textField("Name."),
  company: textField("Company."),
  blog: textField("Web site, as the user wrote it."),
  blogUrl: textField("The same with https:// where the user left it out."),
  location: textField("Place."),
  email: textField("Public address; GitHub shows it only to a token."),
  bio: textField("Lines on the user."),
  twitterUsername: textField("Name on X."),
  url: Type.String({ description: "The profile's page." }),
  avatarUrl: textField("Picture."),
  followers: integerField("Followers."),
  following: integerField("Users whom this one follows."),
  publicRepos: integerField("Public repositories."),
  publicGists: integerField("Public gists."),
  hireable: booleanField("Says to be open to offers."),
  isSiteAdmin: booleanField("Works for GitHub."),
  createdAt: textField("When the account was made (ISO 8601, UTC)."),
  updatedAt: textField("When the profile last changed."),
  recentEvents: nullable(
    Type.Array(
      itemObject({
        id: nullable(Type.String()),
        type: nullable(Type.String()),
        repo: nullable(Type.String()),
        repoUrl: nullable(Type.String()),
        action: nullable(Type.String()),
        title: nullable(Type.String()),
        url: nullable(Type.String()),
        createdAt: nullable(Type.String()),
      }),
      { description: `The newest ${eventsShown} public events; null when not asked for.` },
    ),
  ),
  eventCounts: nullable(
    Type.Record(Type.String(), Type.Integer(), {
      description: "Events by type among the newest 100.",
    }),
  ),
  topRepos: nullable(
    Type.Array(
      itemObject({
        fullName: Type.String(),
        stars: nullable(Type.Integer()),
        language: nullable(Type.String()),
        pushedAt: nullable(Type.String()),
        url: Type.String(),
      }),
      { description: `The ${repositoriesShown} own repositories pushed to last.` },
    ),
  ),
  lastActiveAt: textField("When the newest public event happened."),
})

export default defineScraper({
  slug: "github-user-scraper",
  name: "GitHub Users",
  tagline: "Profiles of GitHub users and organisations, with recent public activity if wanted.",
  category: "developer",
  tier: "free",
  input: inputObject({
    usernames: inputs.texts("Logins of users or organisations, or their GitHub addresses.", {
      max: 200,
    }),
    includeActivity: inputs.flag(
      "Adds public events of the last 30 days and the repositories pushed to last.",
    ),
  }),
  item,
  example: { usernames: ["octocat"] },
  pace: githubPace,
  targets: (input) => input.usernames,

  async *scrape(target, ctx) {
    const asked = loginOf(target)
    const { object: user } = await githubObject(`/users/${asked}`, ctx)
    const { login, id } = user
    if (typeof login !== "string" || typeof id !== "number") {
      throw new Changed("GitHub's answer holds no user.")
    }
    const blog = textOrNull(user.blog)?.trim() ?? null
    const active = ctx.input.includeActivity
    const events = active
      ? await orNull(ctx, `events of ${login}`, () => eventsOf(asked, ctx))
      : null
    const repos = active
      ? await orNull(ctx, `repositories of ${login}`, () => repositoriesOf(asked, ctx))
      : null
    yield {
      input: target,
      login,
      id,
      type: textOrNull(user.type),
      name: textOrNull(user.name),
      company: textOrNull(user.company),
      blog,
      blogUrl: blog && (/^[a-z][a-z0-9+.-]*:\/\//i.test(blog) ? blog : `https://${blog}`),
      location: textOrNull(user.location),
      email: textOrNull(user.email),
      bio: textOrNull(user.bio),
      twitterUsername: textOrNull(user.twitter_username),
      url: textOrNull(user.html_url) ?? `https://github.com/${login}`,
      avatarUrl: textOrNull(user.avatar_url),
      followers: integerOrNull(user.followers),
      following: integerOrNull(user.following),
      publicRepos: integerOrNull(user.public_repos),
      publicGists: integerOrNull(user.public_gists),
      hireable: booleanOrNull(user.hireable),
      isSiteAdmin: booleanOrNull(user.site_admin),
      createdAt: isoDate(user.created_at),
      updatedAt: isoDate(user.updated_at),
      recentEvents: events?.slice(0, eventsShown).map(eventItem) ?? null,
      eventCounts: events && countByType(events),
      topRepos: repos,
      lastActiveAt: isoDate(events?.[0]?.created_at),
    }
  },
})

function loginOf(target: string): string {
  const address = /^(?:https?:\/\/)?(?:www\.)?github\.com\/(?:orgs\/)?([^/?#]+)/i.exec(
    target.trim(),
  )
  const login = (address?.[1] ?? target.trim()).replace(/^@/, "")
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){0,38}$/.test(login)) {
    throw new BadInput(`"${target}" is not a GitHub login or the address of a profile.`)
  }
  return login
}

async function eventsOf(login: string, ctx: Context): Promise<GithubObject[]> {
  return listOf(await github(`/users/${login}/events/public?per_page=100&page=1`, ctx))
}

async function repositoriesOf(login: string, ctx: Context) {
  const answer = await github(`/users/${login}/repos?per_page=100&sort=pushed&type=owner`, ctx)
  return listOf(answer)
    .slice(0, repositoriesShown)
    .map((repo) => {
      const fullName = textOrNull(repo.full_name) ?? `${at(repo, "owner", "login")}/${repo.name}`
      return {
        fullName,
        stars: integerOrNull(repo.stargazers_count ?? repo.watchers),
        language: textOrNull(repo.language),
        pushedAt: isoDate(repo.pushed_at),
        url: textOrNull(repo.html_url) ?? `https://github.com/${fullName}`,
      }
    })
}

function eventItem(event: GithubObject) {
  const name = textOrNull(at(event, "repo", "name"))
  // Events without a repository carry "/" in its place.
  const repo = name === "/" ? null : name
  const subject = ["issue", "pull_request", "release"]
    .map((key) => at<GithubObject>(event, "payload", key))
    .find((entry) => entry != null)
  return {
    id: textOrNull(event.id),
    type: textOrNull(event.type),
    repo,
    repoUrl: repo && `https://github.com/${repo}`,
    action: textOrNull(at(event, "payload", "action")),
    title: textOrNull(subject?.title) ?? textOrNull(subject?.name) ?? textOrNull(subject?.tag_name),
    url: textOrNull(subject?.html_url),
    createdAt: isoDate(event.created_at),
  }
}

function countByType(events: GithubObject[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const event of events) {
    const type = String(event.type)
    counts[type] = (counts[type] ?? 0) + 1
  }
  return counts
}
