import { analytics } from "./analytics.ts"
import { cms } from "./cms.ts"
import { forums } from "./forums.ts"
import { frameworks } from "./frameworks.ts"
import { libraries } from "./libraries.ts"
import { marketing } from "./marketing.ts"
import { pageBuilders } from "./page-builders.ts"
import { plugins } from "./plugins.ts"
import type { TechnologyRule } from "./rule.ts"
import { servers } from "./servers.ts"
import { services } from "./services.ts"
import { shops } from "./shops.ts"

export const technologyRules: readonly TechnologyRule[] = [
  ...cms,
  ...pageBuilders,
  ...forums,
  ...shops,
  ...frameworks,
  ...libraries,
  ...servers,
  ...analytics,
  ...marketing,
  ...services,
  ...plugins,
]
