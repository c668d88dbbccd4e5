export { readBranding } from "./branding.ts"
