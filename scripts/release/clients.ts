import { join } from "node:path"

/** Writes the JavaScript client as a tarball for npm. */
export function packJavaScript(root: string, out: string): void {
  const folder = join(root, "packages/client")
  run(["node", join(root, "node_modules/typescript/bin/tsc"), "--project", folder], folder)
  run(["npm", "pack", "--ignore-scripts", "--pack-destination", out], folder)
}

/** Writes the Python client as a wheel and a source archive. */
export function packPython(root: string, out: string): void {
  const build = `import build_backend as b, sys
b.build_wheel(sys.argv[1]); b.build_sdist(sys.argv[1])`
  run(["python3", "-B", "-c", build, out], join(root, "clients/python"))
}

function run(command: string[], cwd: string): void {
  const { exitCode, stderr, stdout } = Bun.spawnSync(command, { cwd })
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}${stdout}`)
}
