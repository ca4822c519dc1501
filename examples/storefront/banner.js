// Put into every page by the shop: closes the season's banner, and keeps it closed for the visit.
(() => {
  const banner = document.querySelector("[data-sf-banner]");
  if (!banner) return;
  const key = "sf-banner-closed";
  if (sessionStorage.getItem(key) === banner.textContent) banner.hidden = true;
  banner.querySelector("[data-sf-close]")?.addEventListener("click", () => {
    sessionStorage.setItem(key, banner.textContent);
    banner.hidden = true;
  });
})();
