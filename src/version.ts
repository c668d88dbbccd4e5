import about from "../package.json"

/** Trawl's version, as it says it everywhere: command line, user agent, MCP. */
export const version: string = about.version
