/**
 * Runs in the browser: fetches the page again and replaces only parts that differ, so that focus, scrolling and open
 * parts stay.
 */
export const live = `
const same = (old, next) => {
  if (old.nodeName !== next.nodeName || old.id !== next.id) return old.replaceWith(next);
  if (old.nodeType === 3) { if (old.data !== next.data) old.data = next.data; return; }
  for (const { name } of [...old.attributes]) if (name !== "open" && !next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  const known = new Map([...old.childNodes].filter((one) => one.id).map((one) => [one.id, one]));
  const wanted = new Set([...next.childNodes].map((one) => one.id).filter(Boolean));
  for (const [id, one] of known) if (!wanted.has(id)) one.remove();
  let place = old.firstChild;
  for (const child of [...next.childNodes]) {
    const own = child.id ? known.get(child.id) : place?.id ? undefined : place;
    if (own === undefined || own === null) { old.insertBefore(child, place); continue; }
    // What is in its place already isn't moved: moving takes the focus away.
    if (own === place) place = place.nextSibling;
    else old.insertBefore(own, place);
    same(own, child);
  }
  while (place !== null) { const gone = place; place = place.nextSibling; gone.remove(); }
};
const main = document.querySelector("main");
let before = main.dataset.changes;
// The next look waits for this one's answer: an older one that comes late would show what was.
const look = async () => {
  const answer = await fetch(location.href).catch(() => undefined);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of ["main", "nav"]) same(document.querySelector(part), fresh.querySelector(part));
  if (main.dataset.changes === before) return;
  before = main.dataset.changes;
  const frame = document.querySelector("iframe");
  frame.src = frame.src;
};
const follow = () => setTimeout(() => look().finally(follow), 1000);
follow();
// On a narrow screen the storefront is below the lists.
document.addEventListener("click", ({ target }) => {
  if (target.closest("a[target=storefront]")) document.querySelector(".theme").scrollIntoView({ block: "nearest" });
});
`;
