// Keeps the exported page, so that it opens and plays without a network. The program writes a line above this:
// const SITE = { version, files }, from the bytes of all files. Another version is kept beside the old one, and shown
// once all windows of the old one are closed: a page never mixes both.
const PREFIX = `makzero ${registration.scope} `; // Other pages of this server have caches of their own.
const CACHE = PREFIX + SITE.version;

addEventListener("install", (event) => {
  const requests = SITE.files.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

addEventListener("activate", (event) => {
  const stale = (name) => name.startsWith(PREFIX) && name !== CACHE;
  const removed = caches.keys().then((names) => Promise.all(names.filter(stale).map((name) => caches.delete(name))));
  event.waitUntil(removed.then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.mode === "navigate" ? "index.html" : request, { ignoreSearch: true });
  return kept ?? fetch(request);
}
