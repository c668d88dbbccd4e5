export { type Branding, readBranding } from "./branding.ts"
