import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Files of one commit of a public repository. */
export interface Source {
  /** URL or path that `git fetch` accepts. */
  repository: string
  /** Full hash of a commit. Git checks everything it fetches against it. */
  commit: string
}

/**
 * Calls `use` with a temporary folder that contains `paths` of a commit, byte for byte, and removes the
 * folder afterwards. Files outside of `paths` are not downloaded if the server supports partial clones.
 *
 * @throws Error if Git cannot fetch the commit, or if one of the paths is not in it.
 */
export async function withCheckout<T>(
  { repository, commit }: Source,
  paths: readonly string[],
  use: (folder: string) => T | Promise<T>,
): Promise<T> {
  if (!/^[0-9a-f]{40}$/.test(commit))
    throw new Error(`"${commit}" is not a commit: give all 40 hexadecimal digits of its hash.`)
  if (repository.startsWith("-"))
    throw new Error(`"${repository}" is not a repository: give a URL or a path.`)
  const folder = mkdtempSync(join(tmpdir(), "trawl-datasets-"))
  const git = (...words: string[]) => run(folder, repository, words)
  try {
    git("init", "--quiet")
    // No conversion of line ends and no filters, whatever the repository or the user configures.
    mkdirSync(join(folder, ".git/info"), { recursive: true })
    writeFileSync(join(folder, ".git/info/attributes"), "* -text -filter -ident\n")
    git("config", "core.symlinks", "false")
    git("remote", "add", "origin", repository)
    git("fetch", "--quiet", "--depth", "1", "--filter=blob:none", "origin", commit)
    git("checkout", "--quiet", commit, "--", ...paths.map((path) => `:(literal)${path}`))
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(folder: string, repository: string, words: string[]): void {
  const { success, stderr } = Bun.spawnSync(["git", ...words], {
    cwd: folder,
    // Git must not ask for a password: a private repository fails instead.
    env: { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_DIR: join(folder, ".git") },
  })
  if (!success)
    throw new Error(`${repository}: git ${words[0]} failed: ${stderr.toString().trim()}`)
}
