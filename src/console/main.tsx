import { render, type VNode } from "preact"
import { useEffect } from "preact/hooks"
import { Frame } from "./parts/frame.tsx"
import { Link, type PageLocation, usePageLocation } from "./routing/router.tsx"
import { matchRoute, type RoutePath } from "./routing/routes.ts"
import { AccountScreen } from "./screens/account.tsx"
import { Bulk } from "./screens/bulk.tsx"
import { Connect } from "./screens/connect.tsx"
import { DatasetScreen } from "./screens/dataset.tsx"
import { DatasetDiff } from "./screens/dataset-diff.tsx"
import { Datasets } from "./screens/datasets.tsx"
import { DestinationScreen } from "./screens/destination.tsx"
import { Destinations } from "./screens/destinations.tsx"
import { Home } from "./screens/home.tsx"
import { Keys } from "./screens/keys.tsx"
import { MonitorScreen } from "./screens/monitor.tsx"
import { Monitors } from "./screens/monitors.tsx"
import { NewSchedule } from "./screens/new-schedule.tsx"
import { NotificationScreen } from "./screens/notification.tsx"
import { Notifications } from "./screens/notifications.tsx"
import { Operate } from "./screens/operate.tsx"
import { OperateAccounts } from "./screens/operate-accounts.tsx"
import { OperateLog } from "./screens/operate-log.tsx"
import { OperateScrapers } from "./screens/operate-scrapers.tsx"
import { OperateSettings } from "./screens/operate-settings.tsx"
import { Recipes } from "./screens/recipes.tsx"
import { RunScreen } from "./screens/run.tsx"
import { Runs } from "./screens/runs.tsx"
import { ScheduleScreen } from "./screens/schedule.tsx"
import { Schedules } from "./screens/schedules.tsx"
import { Scraper } from "./screens/scraper.tsx"
import { Scrapers } from "./screens/scrapers.tsx"
import { Search } from "./screens/search/search.tsx"
import { Sessions } from "./screens/sessions.tsx"
import { Shared } from "./screens/shared.tsx"
import { Usage } from "./screens/usage.tsx"

interface ScreenProps {
  id: string
  route: PageLocation
}

const screens: Record<RoutePath, (props: ScreenProps) => VNode> = {
  "/": ({ route: pageLocation }) => <Home pageLocation={pageLocation} />,
  "/scrapers": ({ route: pageLocation }) => <Scrapers pageLocation={pageLocation} />,
  "/scrapers/:id": ({ id, route: pageLocation }) => (
    <Scraper slug={id} pageLocation={pageLocation} />
  ),
  "/search": ({ route: pageLocation }) => <Search pageLocation={pageLocation} />,
  "/runs": ({ route: pageLocation }) => <Runs pageLocation={pageLocation} />,
  "/runs/:id": ({ id, route: pageLocation }) => <RunScreen id={id} pageLocation={pageLocation} />,
  "/datasets": ({ route: pageLocation }) => <Datasets pageLocation={pageLocation} />,
  "/datasets/:id": ({ id, route: pageLocation }) => (
    <DatasetScreen id={id} pageLocation={pageLocation} />
  ),
  "/datasets/:id/diff": ({ id, route: pageLocation }) => (
    <DatasetDiff id={id} pageLocation={pageLocation} />
  ),
  "/shared/:id": ({ id, route: pageLocation }) => <Shared id={id} pageLocation={pageLocation} />,
  "/bulk": ({ route: pageLocation }) => <Bulk pageLocation={pageLocation} />,
  "/recipes": () => <Recipes />,
  "/connect": ({ route: pageLocation }) => <Connect pageLocation={pageLocation} />,
  "/schedules": () => <Schedules />,
  "/schedules/:id": ({ id }) => <ScheduleScreen id={id} />,
  "/schedules/new/:id": ({ id, route: pageLocation }) => (
    <NewSchedule slug={id} pageLocation={pageLocation} />
  ),
  "/monitors": ({ route: pageLocation }) => <Monitors pageLocation={pageLocation} />,
  "/monitors/:id": ({ id }) => <MonitorScreen id={id} />,
  "/destinations": () => <Destinations />,
  "/destinations/:id": ({ id }) => <DestinationScreen id={id} />,
  "/sessions": () => <Sessions />,
  "/notifications": () => <Notifications />,
  "/notifications/:id": ({ id }) => <NotificationScreen id={id} />,
  "/keys": () => <Keys />,
  "/usage": ({ route: pageLocation }) => <Usage pageLocation={pageLocation} />,
  "/account": () => <AccountScreen />,
  "/operate": () => <Operate />,
  "/operate/accounts": ({ route: pageLocation }) => <OperateAccounts pageLocation={pageLocation} />,
  "/operate/scrapers": ({ route: pageLocation }) => <OperateScrapers pageLocation={pageLocation} />,
  "/operate/settings": ({ route: pageLocation }) => <OperateSettings pageLocation={pageLocation} />,
  "/operate/log": ({ route: pageLocation }) => <OperateLog pageLocation={pageLocation} />,
}

function Screen({ location: pageLocation }: { location: PageLocation }) {
  const match = matchRoute(pageLocation.path)
  if (!match) return <NotFound />
  const Matched = screens[match.route.path]
  return <Matched key={match.id} id={match.id} route={pageLocation} />
}

function NotFound() {
  useEffect(() => {
    document.title = "Not found · Trawl"
  }, [])
  return (
    <>
      <h1>Page not found</h1>
      <p>
        <Link to="/">Go to the home page</Link>
      </p>
    </>
  )
}

function Console() {
  const route = usePageLocation()
  return (
    <Frame pageLocation={route}>
      <Screen location={route} />
    </Frame>
  )
}

const app = document.getElementById("app")!
app.replaceChildren()
render(<Console />, app)
