import { textOrNull } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import { field, type Row, required } from "../kit/index.ts"
import { profileOf } from "./github.ts"

/** Fields that both a repository's own response and the entries of a search have. */
export const repositoryFields = {
  id: required(field.integer("id", "GitHub's ID of the repository.")),
  fullName: required(field.text(fullNameOf, "Current full name (owner/name).")),
  name: required(field.text("name", "Name without the owner.")),
  owner: field.text("owner.login", "Login of the owner."),
  ownerType: field.text("owner.type", "Type of owner: User or Organization."),
  ownerUrl: field.text((repo: Row) => profileOf(repo.owner), "URL of the owner."),
  ownerAvatarUrl: field.text("owner.avatar_url", "URL of the owner's image."),
  url: required(
    field.text(
      (repo: Row) => textOrNull(repo.html_url) ?? `https://github.com/${fullNameOf(repo)}`,
      "URL of the repository.",
    ),
  ),
  description: field.text("description", "One-line description of the repository."),
  homepage: field.text("homepage", "URL of the home page."),
  stars: required(field.integer("stargazers_count|watchers", "Number of stars.")),
  forks: field.integer("forks_count|forks", "Number of forks."),
  openIssues: field.integer(
    "open_issues_count|open_issues",
    "Number of open issues and pull requests.",
  ),
  sizeKb: field.integer("size", "Size in kilobytes."),
  language: field.text("language", "Main programming language."),
  topics: field.texts("topics", "Topics."),
  license: field.text(
    "license.spdx_id",
    "SPDX ID of the licence; NOASSERTION if GitHub does not recognize it.",
  ),
  licenseName: field.text("license.name", "Name of the licence."),
  defaultBranch: field.text("default_branch", "Default branch."),
  visibility: field.text("visibility", "Visibility: public, private or internal."),
  isFork: field.boolean("fork", "Whether the repository is a fork."),
  isArchived: field.boolean("archived", "Whether the repository is archived (read-only)."),
  isTemplate: field.boolean("is_template", "Whether the repository is a template for new ones."),
  createdAt: field.time("created_at", "Time of creation (ISO 8601, UTC)."),
  updatedAt: field.time(
    "updated_at",
    "Time of the last change of its description, stars or other data (ISO 8601, UTC).",
  ),
  pushedAt: field.time("pushed_at", "Time of the last push (ISO 8601, UTC)."),
  cloneUrl: field.text("clone_url", "HTTPS URL for cloning."),
}

export function fullNameOf({ full_name, owner, name }: Row): string | null {
  const parts = [textOrNull(at(owner, "login")), textOrNull(name)]
  return textOrNull(full_name) ?? (parts.includes(null) ? null : parts.join("/"))
}
