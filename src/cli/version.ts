import about from "../../package.json"

export const version: string = about.version
