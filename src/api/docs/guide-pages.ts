import comparison from "../../../docs/guide/help/comparison.md" with { type: "text" }
import faq from "../../../docs/guide/help/faq.md" with { type: "text" }
import troubleshooting from "../../../docs/guide/help/troubleshooting.md" with { type: "text" }
import index from "../../../docs/guide/index.md" with { type: "text" }
import backup from "../../../docs/guide/operate/backup.md" with { type: "text" }
import deploy from "../../../docs/guide/operate/deploy.md" with { type: "text" }
import health from "../../../docs/guide/operate/health.md" with { type: "text" }
import install from "../../../docs/guide/operate/install.md" with { type: "text" }
import monitoring from "../../../docs/guide/operate/monitoring.md" with { type: "text" }
import postgresql from "../../../docs/guide/operate/postgresql.md" with { type: "text" }
import proxies from "../../../docs/guide/operate/proxies.md" with { type: "text" }
import proxy from "../../../docs/guide/operate/proxy.md" with { type: "text" }
import recordings from "../../../docs/guide/operate/recordings.md" with { type: "text" }
import scaling from "../../../docs/guide/operate/scaling.md" with { type: "text" }
import scraper from "../../../docs/guide/operate/scraper.md" with { type: "text" }
import secrets from "../../../docs/guide/operate/secrets.md" with { type: "text" }
import security from "../../../docs/guide/operate/security.md" with { type: "text" }
import upgrade from "../../../docs/guide/operate/upgrade.md" with { type: "text" }
import api from "../../../docs/guide/reference/api.md" with { type: "text" }
import commands from "../../../docs/guide/reference/commands.md" with { type: "text" }
import errors from "../../../docs/guide/reference/errors.md" with { type: "text" }
import formats from "../../../docs/guide/reference/formats.md" with { type: "text" }
import limits from "../../../docs/guide/reference/limits.md" with { type: "text" }
import scrapers from "../../../docs/guide/reference/scrapers.md" with { type: "text" }
import scrapersApps from "../../../docs/guide/reference/scrapers-apps.md" with { type: "text" }
import scrapersBusiness from "../../../docs/guide/reference/scrapers-business.md" with {
  type: "text",
}
import scrapersData from "../../../docs/guide/reference/scrapers-data.md" with { type: "text" }
import scrapersDeveloper from "../../../docs/guide/reference/scrapers-developer.md" with {
  type: "text",
}
import scrapersEcommerce from "../../../docs/guide/reference/scrapers-ecommerce.md" with {
  type: "text",
}
import scrapersFinance from "../../../docs/guide/reference/scrapers-finance.md" with {
  type: "text",
}
import scrapersJobs from "../../../docs/guide/reference/scrapers-jobs.md" with { type: "text" }
import scrapersMedia from "../../../docs/guide/reference/scrapers-media.md" with { type: "text" }
import scrapersNetwork from "../../../docs/guide/reference/scrapers-network.md" with {
  type: "text",
}
import scrapersNews from "../../../docs/guide/reference/scrapers-news.md" with { type: "text" }
import scrapersRealEstate from "../../../docs/guide/reference/scrapers-real-estate.md" with {
  type: "text",
}
import scrapersResearch from "../../../docs/guide/reference/scrapers-research.md" with {
  type: "text",
}
import scrapersReviews from "../../../docs/guide/reference/scrapers-reviews.md" with {
  type: "text",
}
import scrapersSearch from "../../../docs/guide/reference/scrapers-search.md" with { type: "text" }
import scrapersSocial from "../../../docs/guide/reference/scrapers-social.md" with { type: "text" }
import scrapersTravel from "../../../docs/guide/reference/scrapers-travel.md" with { type: "text" }
import scrapersVideo from "../../../docs/guide/reference/scrapers-video.md" with { type: "text" }
import scrapersWeb from "../../../docs/guide/reference/scrapers-web.md" with { type: "text" }
import settings from "../../../docs/guide/reference/settings.md" with { type: "text" }
import concepts from "../../../docs/guide/start/concepts.md" with { type: "text" }
import console from "../../../docs/guide/start/console.md" with { type: "text" }
import quickStart from "../../../docs/guide/start/quick-start.md" with { type: "text" }
import spreadsheet from "../../../docs/guide/start/spreadsheet.md" with { type: "text" }
import actors from "../../../docs/guide/use/actors.md" with { type: "text" }
import agents from "../../../docs/guide/use/agents.md" with { type: "text" }
import client from "../../../docs/guide/use/client.md" with { type: "text" }
import commandLine from "../../../docs/guide/use/command-line.md" with { type: "text" }
import compatibility from "../../../docs/guide/use/compatibility.md" with { type: "text" }
import destinations from "../../../docs/guide/use/destinations.md" with { type: "text" }
import extraction from "../../../docs/guide/use/extraction.md" with { type: "text" }
import files from "../../../docs/guide/use/files.md" with { type: "text" }
import integrations from "../../../docs/guide/use/integrations.md" with { type: "text" }
import items from "../../../docs/guide/use/items.md" with { type: "text" }
import lists from "../../../docs/guide/use/lists.md" with { type: "text" }
import mcp from "../../../docs/guide/use/mcp.md" with { type: "text" }
import migrating from "../../../docs/guide/use/migrating.md" with { type: "text" }
import notifications from "../../../docs/guide/use/notifications.md" with { type: "text" }
import page from "../../../docs/guide/use/page.md" with { type: "text" }
import recipes from "../../../docs/guide/use/recipes.md" with { type: "text" }
import runScrapers from "../../../docs/guide/use/run-scrapers.md" with { type: "text" }
import schedules from "../../../docs/guide/use/schedules.md" with { type: "text" }
import search from "../../../docs/guide/use/search.md" with { type: "text" }
import sessions from "../../../docs/guide/use/sessions.md" with { type: "text" }

/** Parts of the sidebar. Each page is a file `docs/guide/<part>/<name>.md`, served at `/docs/guide/<name>`. */
export const parts: readonly { title: string; pages: Readonly<Record<string, string>> }[] = [
  {
    title: "Start",
    pages: {
      "quick-start": quickStart,
      concepts,
      console,
      spreadsheet,
    },
  },
  {
    title: "Use",
    pages: {
      page,
      extraction,
      "run-scrapers": runScrapers,
      items,
      lists,
      files,
      schedules,
      destinations,
      notifications,
      recipes,
      sessions,
      agents,
      search,
      mcp,
      "command-line": commandLine,
      client,
      integrations,
      compatibility,
      migrating,
      actors,
    },
  },
  {
    title: "Operate",
    pages: {
      install,
      deploy,
      proxy,
      proxies,
      health,
      backup,
      upgrade,
      scaling,
      postgresql,
      monitoring,
      security,
      secrets,
      recordings,
      scraper,
    },
  },
  {
    title: "Reference",
    pages: {
      api,
      errors,
      settings,
      limits,
      formats,
      commands,
      scrapers,
    },
  },
  {
    title: "Help",
    pages: {
      troubleshooting,
      faq,
      comparison,
    },
  },
]

/** Pages that only the list of scrapers links to. */
const scraperPages: Readonly<Record<string, string>> = {
  "scrapers-web": scrapersWeb,
  "scrapers-ecommerce": scrapersEcommerce,
  "scrapers-social": scrapersSocial,
  "scrapers-search": scrapersSearch,
  "scrapers-news": scrapersNews,
  "scrapers-video": scrapersVideo,
  "scrapers-apps": scrapersApps,
  "scrapers-developer": scrapersDeveloper,
  "scrapers-data": scrapersData,
  "scrapers-research": scrapersResearch,
  "scrapers-finance": scrapersFinance,
  "scrapers-media": scrapersMedia,
  "scrapers-jobs": scrapersJobs,
  "scrapers-business": scrapersBusiness,
  "scrapers-reviews": scrapersReviews,
  "scrapers-real-estate": scrapersRealEstate,
  "scrapers-travel": scrapersTravel,
  "scrapers-network": scrapersNetwork,
}

/** All pages by name. */
export const guidePages: Readonly<Record<string, string>> = Object.assign(
  { index },
  ...parts.map(({ pages }) => pages),
  scraperPages,
)
