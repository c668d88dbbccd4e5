/** A script or style sheet for browsers: bundled and minified. @throws AggregateError */
export async function builtForBrowsers(path: string): Promise<Uint8Array> {
  const { outputs } = await Bun.build({
    entrypoints: [path],
    target: "browser",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
  })
  return new Uint8Array(await outputs[0]!.arrayBuffer())
}
