import { type TechnologyRule, technology } from "./rule.ts"

/** A script or style sheet named after its library: `/name-1.2.3.min.js`, `/name@1.2/…`. */
const file = (name: string) =>
  new RegExp(
    [
      String.raw`/(?:${name})(?:\.(?:pkgd|bundle|slim|all|core|umd|prod|esm|iife))*`,
      String.raw`(?:[@/.-]v?(\d+(?:\.\d+)+)[^"'\s?]*?)?`,
      String.raw`(?:[./-](?:min|pkgd|bundle|slim|core|umd|all|prod))*\.(?:m?js|css)(?:[?#]|$)`,
      String.raw`|/(?:${name})(?:\.js)?[@/]v?(\d+(?:\.\d+)+)/`,
    ].join(""),
    "im",
  )

/** Libraries that run in the browser in addition to a framework. */
export const libraries: TechnologyRule[] = [
  technology("jQuery", "JavaScript library", "jquery.com", {
    url: [
      file("jquery"),
      /\/jquery(?:\.min|\.slim)?(?:-(\d+(?:\.\d+)+))?[\w.-]*\.js\?ver=(\d+(?:\.\d+)+)/,
    ],
  }),
  technology("jQuery UI", "JavaScript library", "jqueryui.com", {
    url: [file("jquery[.-]ui"), /\/jquery\/ui\/|\/jqueryui\/(\d+(?:\.\d+)+)?/],
    implies: ["jQuery"],
  }),
  technology("jQuery Migrate", "JavaScript library", "github.com/jquery/jquery-migrate", {
    url: [file("jquery[.-]migrate"), /jquery-migrate(?:\.min)?\.js\?ver=(\d+(?:\.\d+)+)/],
    implies: ["jQuery"],
  }),
  technology("jQuery Mobile", "JavaScript library", "jquerymobile.com", {
    url: file("jquery[.-]mobile"),
    implies: ["jQuery"],
  }),
  technology("Zepto", "JavaScript library", "zeptojs.com", { url: file("zepto") }),
  technology("Bootstrap", "CSS framework", "getbootstrap.com", {
    url: [
      file("bootstrap(?:-grid|-reboot|-theme)?"),
      /\/bootstrap(?:@|\/)(\d+(?:\.\d+)+)\/(?:dist\/)?(?:css|js)\//,
      /\/(?:bootstrapcdn\.com|maxcdn\.bootstrapcdn\.com)\/bootstrap\/(\d+(?:\.\d+)+)/,
    ],
  }),
  technology("Tailwind CSS", "CSS framework", "tailwindcss.com", {
    url: [/cdn\.tailwindcss\.com/, file("tailwind(?:css)?")],
    html: /class="[^"]*(?:\bmd:|\blg:|\bsm:)[\w-]+(?:\s|")[^"]*"/,
    weight: 55,
  }),
  technology("Foundation", "CSS framework", "get.foundation", {
    url: file("foundation"),
    dom: "meta.foundation-mq",
  }),
  technology("Bulma", "CSS framework", "bulma.io", { url: file("bulma") }),
  technology("Materialize", "CSS framework", "materializecss.com", { url: file("materialize") }),
  technology("UIkit", "CSS framework", "getuikit.com", {
    url: file("uikit"),
    dom: "[uk-grid], [data-uk-grid]",
  }),
  technology("Semantic UI", "CSS framework", "semantic-ui.com", { url: file("semantic") }),
  technology("Pure CSS", "CSS framework", "purecss.io", {
    url: [/\/purecss@|\/pure(?:-min)?\.css/, /unpkg\.com\/purecss@(\d+(?:\.\d+)+)/],
  }),
  technology("Material UI", "CSS framework", "mui.com", {
    html: /class="[^"]*\bMui(?:Button|Grid|Typography|Box|Paper|Container)-/,
    implies: ["React"],
  }),
  technology("Ant Design", "CSS framework", "ant.design", {
    html: /class="[^"]*\bant-(?:btn|layout|row|col|menu)\b/,
    url: file("antd"),
  }),
  technology("Chakra UI", "CSS framework", "chakra-ui.com", {
    html: /class="[^"]*\bchakra-(?:text|stack|button|heading)\b/,
    implies: ["React"],
  }),
  technology("Vuetify", "CSS framework", "vuetifyjs.com", {
    html: /class="[^"]*\bv-application\b/,
    url: file("vuetify"),
    implies: ["Vue.js"],
  }),
  technology("Angular Material", "CSS framework", "material.angular.io", {
    html: /class="[^"]*\bmat-(?:typography|app-background|mdc-button)\b/,
    url: file("angular-material"),
  }),
  technology("Emotion", "JavaScript library", "emotion.sh", { dom: "style[data-emotion]" }),
  technology("styled-components", "JavaScript library", "styled-components.com", {
    dom: "style[data-styled]",
    implies: ["React"],
  }),
  technology("Font Awesome", "Fonts", "fontawesome.com", {
    url: [
      /(?:use|kit|ka-[fp]|pro)\.fontawesome\.com(?:\/releases\/v(\d+(?:\.\d+)+))?/,
      file("font-?awesome(?:-?all)?"),
      /\/font-?awesome(?:@|\/)(\d+(?:\.\d+)+)?/i,
    ],
  }),
  technology("Material Icons", "Fonts", "fonts.google.com/icons", {
    url: /fonts\.googleapis\.com\/(?:icon|css2)\?family=Material[+ ](?:Icons|Symbols)/,
  }),
  technology("Bootstrap Icons", "Fonts", "icons.getbootstrap.com", {
    url: /bootstrap-icons(?:@|[./-])(\d+(?:\.\d+)+)?/,
  }),
  technology("Ionicons", "Fonts", "ionic.io/ionicons", {
    url: /\/ionicons(?:@|[./-])(\d+(?:\.\d+)+)?/,
  }),
  technology("Modernizr", "JavaScript library", "modernizr.com", {
    url: file("modernizr(?:[.-]?custom)?(?:[.-][\\w-]+)?"),
  }),
  technology("Lodash", "JavaScript library", "lodash.com", { url: file("lodash") }),
  technology("Underscore.js", "JavaScript library", "underscorejs.org", {
    url: file("underscore"),
  }),
  technology("Moment.js", "JavaScript library", "momentjs.com", {
    url: file("moment(?:-with-locales|-timezone)?"),
  }),
  technology("Day.js", "JavaScript library", "day.js.org", { url: file("dayjs") }),
  technology("Axios", "JavaScript library", "axios-http.com", { url: file("axios") }),
  technology("core-js", "JavaScript library", "github.com/zloirock/core-js", {
    url: file("core-js"),
  }),
  technology("Polyfill.io", "JavaScript library", "polyfill.io", {
    url: /(?:cdn\.)?polyfill(?:-fastly)?\.io\/|cdnjs\.cloudflare\.com\/polyfill\//,
  }),
  technology("RequireJS", "JavaScript library", "requirejs.org", {
    url: file("require(?:js)?"),
    dom: "script[data-main]",
  }),
  technology("SystemJS", "JavaScript library", "github.com/systemjs/systemjs", {
    url: file("system"),
  }),
  technology("Slick", "JavaScript library", "kenwheeler.github.io/slick", {
    url: [file("slick(?:-theme)?"), /\/slick-carousel[@/](\d+(?:\.\d+)+)?/],
    dom: ".slick-slider",
  }),
  technology("Swiper", "JavaScript library", "swiperjs.com", {
    url: file("swiper(?:-bundle|-element)?"),
    dom: ".swiper-container, .swiper-wrapper",
  }),
  technology("Owl Carousel", "JavaScript library", "owlcarousel2.github.io", {
    url: file("owl[.-]?carousel"),
    dom: ".owl-carousel",
  }),
  technology("Flickity", "JavaScript library", "flickity.metafizzy.co", { url: file("flickity") }),
  technology("Splide", "JavaScript library", "splidejs.com", {
    url: file("splide"),
    dom: ".splide__track",
  }),
  technology("Glide.js", "JavaScript library", "glidejs.com", {
    url: file("glide"),
    dom: ".glide__track",
  }),
  technology("FlexSlider", "JavaScript library", "woocommerce.com/flexslider", {
    url: file("(?:jquery\\.)?flexslider"),
  }),
  technology("bxSlider", "JavaScript library", "bxslider.com", {
    url: file("(?:jquery\\.)?bxslider"),
  }),
  technology("Nivo Slider", "JavaScript library", "themeisle.com/plugins/nivo-slider", {
    url: file("(?:jquery\\.)?nivo[.-]slider(?:\\.pack)?"),
  }),
  technology("Fancybox", "JavaScript library", "fancyapps.com", {
    url: file("(?:jquery\\.)?fancybox"),
  }),
  technology("Lightbox", "JavaScript library", "lokeshdhakar.com/projects/lightbox2", {
    url: file("lightbox(?:-plus-jquery)?"),
    dom: "a[data-lightbox]",
  }),
  technology("Magnific Popup", "JavaScript library", "dimsemenov.com/plugins/magnific-popup", {
    url: file("(?:jquery\\.)?magnific-popup"),
  }),
  technology("PhotoSwipe", "JavaScript library", "photoswipe.com", {
    url: file("photoswipe(?:-ui-default|-lightbox)?"),
  }),
  technology("Colorbox", "JavaScript library", "jacklmoore.com/colorbox", {
    url: file("(?:jquery\\.)?colorbox"),
  }),
  technology("lazysizes", "JavaScript library", "github.com/aFarkas/lazysizes", {
    url: file("lazysizes"),
  }),
  technology("LazyLoad", "JavaScript library", "github.com/verlok/vanilla-lazyload", {
    url: file("(?:vanilla-)?lazyload|(?:jquery\\.)?lazyload"),
  }),
  technology("Isotope", "JavaScript library", "isotope.metafizzy.co", {
    url: file("(?:jquery\\.)?isotope"),
  }),
  technology("Masonry", "JavaScript library", "masonry.desandro.com", {
    url: file("(?:jquery\\.)?masonry"),
  }),
  technology("GSAP", "JavaScript library", "gsap.com", {
    url: [file("gsap|TweenMax|TweenLite|TimelineMax|ScrollTrigger"), /\/gsap[@/](\d+(?:\.\d+)+)?/],
  }),
  technology("AOS", "JavaScript library", "michalsnik.github.io/aos", {
    url: file("aos"),
    dom: "[data-aos]",
  }),
  technology("WOW.js", "JavaScript library", "wowjs.uk", { url: file("wow") }),
  technology("Animate.css", "JavaScript library", "animate.style", {
    url: /\/animate(?:\.min|\.compat)?\.css|\/animate\.css[@/](\d+(?:\.\d+)+)?/,
  }),
  technology("ScrollMagic", "JavaScript library", "scrollmagic.io", { url: file("ScrollMagic") }),
  technology("Lottie", "JavaScript library", "airbnb.io/lottie", {
    url: [file("lottie(?:-player|-light|-web)?"), /lottiefiles\.com/],
    dom: "lottie-player, dotlottie-player",
  }),
  technology("Three.js", "JavaScript library", "threejs.org", {
    url: [file("three"), /\/three(?:@|\.js\/r?)(\d[\d.]*)?/],
  }),
  technology("Babylon.js", "JavaScript library", "babylonjs.com", { url: file("babylon") }),
  technology("D3", "JavaScript library", "d3js.org", {
    url: [file("d3"), /d3js\.org\/d3\.v(\d+)/],
  }),
  technology("Chart.js", "JavaScript library", "chartjs.org", {
    url: file("chart(?:\\.js)?|chartjs"),
  }),
  technology("Highcharts", "JavaScript library", "highcharts.com", {
    url: [/code\.highcharts\.com\/(?:stock\/)?(\d+(?:\.\d+)+)?/, file("highcharts|highstock")],
  }),
  technology("ECharts", "JavaScript library", "echarts.apache.org", { url: file("echarts") }),
  technology("Plotly", "JavaScript library", "plotly.com", {
    url: [/cdn\.plot\.ly\/plotly-?(\d+(?:\.\d+)+)?/, file("plotly(?:-latest)?")],
  }),
  technology("ApexCharts", "JavaScript library", "apexcharts.com", { url: file("apexcharts") }),
  technology("amCharts", "JavaScript library", "amcharts.com", {
    url: /(?:cdn|www)\.amcharts\.com\/lib/,
  }),
  technology("DataTables", "JavaScript library", "datatables.net", {
    url: [
      /cdn\.datatables\.net\/(?:v\/\w+\/dt-)?(\d+(?:\.\d+)+)?/,
      file("(?:jquery\\.)?datatables"),
    ],
  }),
  technology("Highlight.js", "JavaScript library", "highlightjs.org", {
    url: [file("highlight(?:\\.pack)?"), /\/highlight(?:\.js|js)[@/](\d+(?:\.\d+)+)?/],
  }),
  technology("Prism", "JavaScript library", "prismjs.com", {
    url: [file("prism(?:-core|-autoloader)?"), /\/prism(?:js)?[@/](\d+(?:\.\d+)+)?/],
  }),
  technology("MathJax", "JavaScript library", "mathjax.org", {
    url: [/\/mathjax(?:@|\/)(\d+(?:\.\d+)*)?/i, file("MathJax")],
  }),
  technology("KaTeX", "JavaScript library", "katex.org", {
    url: [/\/katex(?:@|\/)(\d+(?:\.\d+)+)?/i, file("katex")],
  }),
  technology("Mermaid", "JavaScript library", "mermaid.js.org", { url: file("mermaid") }),
  technology("Select2", "JavaScript library", "select2.org", { url: file("select2") }),
  technology("Choices.js", "JavaScript library", "choices-js.github.io/Choices", {
    url: file("choices"),
  }),
  technology("Flatpickr", "JavaScript library", "flatpickr.js.org", { url: file("flatpickr") }),
  technology("FullCalendar", "JavaScript library", "fullcalendar.io", {
    url: file("fullcalendar|main\\.global"),
    dom: ".fc-toolbar, #fullcalendar",
  }),
  technology("Popper", "JavaScript library", "popper.js.org", {
    url: [file("popper"), /\/@?popper(?:js\/core|\.js)?[@/](\d+(?:\.\d+)+)?/],
  }),
  technology("Tippy.js", "JavaScript library", "atomiks.github.io/tippyjs", {
    url: file("tippy(?:-bundle)?"),
  }),
  technology("SweetAlert", "JavaScript library", "sweetalert2.github.io", {
    url: file("sweetalert2?"),
  }),
  technology("Toastr", "JavaScript library", "codeseven.github.io/toastr", { url: file("toastr") }),
  technology("Socket.IO", "JavaScript library", "socket.io", { url: file("socket\\.io") }),
  technology("Clipboard.js", "JavaScript library", "clipboardjs.com", { url: file("clipboard") }),
  technology("CKEditor", "JavaScript library", "ckeditor.com", {
    url: [/cdn\.ckeditor\.com\/(?:ckeditor5\/)?(\d+(?:\.\d+)+)?/, file("ckeditor")],
  }),
  technology("TinyMCE", "JavaScript library", "tiny.cloud", {
    url: [/cdn\.tiny\.cloud/, file("tinymce")],
  }),
  technology("Quill", "JavaScript library", "quilljs.com", { url: file("quill") }),
  technology("Handlebars", "JavaScript library", "handlebarsjs.com", {
    url: file("handlebars(?:\\.runtime)?"),
  }),
  technology("Mustache", "JavaScript library", "mustache.github.io", { url: file("mustache") }),
  technology("MooTools", "JavaScript library", "mootools.net", {
    url: file("mootools(?:-core|-more)?"),
  }),
  technology("Prototype", "JavaScript library", "prototypejs.org", { url: file("prototype") }),
  technology("script.aculo.us", "JavaScript library", "script.aculo.us", {
    url: file("scriptaculous"),
    implies: ["Prototype"],
  }),
  technology("Dojo", "JavaScript library", "dojotoolkit.org", {
    url: /\/dojo\/(?:(\d+(?:\.\d+)+)\/)?dojo(?:\.xd)?\.js/,
  }),
  technology("YUI", "JavaScript library", "yuilibrary.com", {
    url: /yui(?:\.yahooapis\.com)?\/(?:combo\?)?(\d+(?:\.\d+)+)?\/?build\//,
  }),
  technology("Ext JS", "JavaScript library", "sencha.com", {
    url: /\/ext-(?:all|base)(?:-debug)?\.js|\/extjs\/(\d+(?:\.\d+)+)?/,
  }),
  technology("Workbox", "JavaScript library", "developer.chrome.com/docs/workbox", {
    url: /workbox-(?:sw|window)|\/workbox-(\d+(?:\.\d+)+)?/,
  }),
  technology("AMP", "JavaScript library", "amp.dev", {
    url: /cdn\.ampproject\.org\/(?:v0|lts)/,
    dom: "html[amp], html[⚡]",
  }),
  technology("Partytown", "JavaScript library", "partytown.builder.io", {
    url: /\/~partytown\//,
    dom: "script[type='text/partytown']",
  }),
  technology("SWFObject", "JavaScript library", "github.com/swfobject/swfobject", {
    url: file("swfobject"),
  }),
  technology("html5shiv", "JavaScript library", "github.com/aFarkas/html5shiv", {
    url: file("html5shiv(?:-printshiv)?|html5"),
    comment: /\[if lt IE 9\]>[\s\S]{0,200}html5(?:shiv)?/,
  }),
  technology("Respond.js", "JavaScript library", "github.com/scottjehl/Respond", {
    url: file("respond"),
  }),
  technology("Normalize.css", "CSS framework", "necolas.github.io/normalize.css", {
    url: /\/normalize(?:\.min)?\.css|\/normalize(?:\.css)?\/(\d+(?:\.\d+)+)/,
  }),
]
