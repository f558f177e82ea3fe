/* Keeps the files of this build on the device, so that the list builder works without a network. `BUILD`, above,
   names them, with a version that changes with any of them. */
const CACHE = "muster-builder-" + BUILD.version;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(BUILD.files.map((name) => new Request(name, { cache: "no-cache" })))).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("muster-builder-") && name !== CACHE);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});
self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url), home = new URL("./", self.location).href;
  if (event.request.method !== "GET" || address.origin !== self.location.origin) { return; }
  const asked = address.href.split(/[?#]/)[0] === home ? "index.html" : event.request;
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(asked, { ignoreSearch: true })).then((kept) => kept || fetch(event.request)));
});
