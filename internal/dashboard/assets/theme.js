// Sets the theme before anything is painted.
try {
  const theme = localStorage.getItem("genaievals-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch { /* storage is switched off: the system's theme */ }
