import { textOrNull } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import { field, record, required } from "../kit/index.ts"
import { type GithubObject, profileOf } from "./github.ts"

/** What a repository's own answer and a search's entries both hold. */
export const repository = record({
  id: required(field.integer("id", "GitHub's number of the repository.")),
  fullName: required(field.text(fullNameOf, "owner/name, as GitHub writes it today.")),
  name: required(field.text("name", "Name without the owner.")),
  owner: field.text("owner.login", "Login of the owner."),
  ownerType: field.text("owner.type", "User or Organization."),
  ownerUrl: field.text((repo: GithubObject) => profileOf(repo.owner), "The owner's page."),
  ownerAvatarUrl: field.text("owner.avatar_url", "Owner's image."),
  url: required(
    field.text(
      (repo: GithubObject) => textOrNull(repo.html_url) ?? `https://github.com/${fullNameOf(repo)}`,
      "The repository's page.",
    ),
  ),
  description: field.text("description", "One line on the repository."),
  homepage: field.text("homepage", "Home page."),
  stars: required(field.integer("stargazers_count|watchers", "Stars.")),
  forks: field.integer("forks_count|forks", "Forks."),
  openIssues: field.integer("open_issues_count|open_issues", "Open issues and pull requests."),
  sizeKb: field.integer("size", "Size in kilobytes."),
  language: field.text("language", "Main programming language."),
  topics: field.texts("topics", "Topics."),
  license: field.text(
    "license.spdx_id",
    "SPDX identifier of the licence; NOASSERTION is one that GitHub does not know.",
  ),
  licenseName: field.text("license.name", "Name of the licence."),
  defaultBranch: field.text("default_branch", "Default branch."),
  visibility: field.text("visibility", "public, private or internal."),
  isFork: field.boolean("fork", "Whether it is a fork of another repository."),
  isArchived: field.boolean("archived", "Whether it is archived: read-only."),
  isTemplate: field.boolean("is_template", "Whether it is a template for new repositories."),
  createdAt: field.time("created_at", "When it was created (ISO 8601, UTC)."),
  updatedAt: field.time("updated_at", "When its description, stars or the like last changed."),
  pushedAt: field.time("pushed_at", "When something was last pushed to it."),
  cloneUrl: field.text("clone_url", "Address to clone from."),
})

export function fullNameOf({ full_name, owner, name }: GithubObject): string | null {
  const parts = [textOrNull(at(owner, "login")), textOrNull(name)]
  return textOrNull(full_name) ?? (parts.includes(null) ? null : parts.join("/"))
}
