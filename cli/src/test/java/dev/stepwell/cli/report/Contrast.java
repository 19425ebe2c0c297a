package dev.stepwell.cli.report;

/** Computes in the page which texts are hard to read. */
final class Contrast {
  /**
   * Every element that has text of its own and is shown, with the colour that it has on the nearest
   * background that isn't transparent, where their contrast is below 4.5 to 1 (WCAG 2, AA).
   */
  static final String SCRIPT =
      """
      const channels = colour => colour.match(/[\\d.]+/g).map(Number);
      const luminance = ([red, green, blue]) => [red, green, blue]
          .map(one => one / 255)
          .map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
          .reduce((sum, one, index) => sum + one * [0.2126, 0.7152, 0.0722][index], 0);
      const background = node => {
        for (let one = node; one; one = one.parentElement) {
          const colour = channels(getComputedStyle(one).backgroundColor);
          if (colour.length < 4 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
      };
      const ownText = node => [...node.childNodes].some(one => one.nodeType === 3 && one.data.trim() !== "");
      return [...document.querySelectorAll("body *")]
          .filter(one => !one.closest("script") && ownText(one) && one.getClientRects().length > 0)
          .map(one => {
            const style = getComputedStyle(one);
            const drawn = one.namespaceURI === document.getElementById("drawing").namespaceURI;
            const [light, dark] = [channels(drawn ? style.fill : style.color), background(one)]
                .map(luminance).sort((a, b) => b - a);
            return [(light + 0.05) / (dark + 0.05), one.tagName + "." + one.getAttribute("class")];
          })
          .filter(([contrast]) => !(contrast >= 4.5))
          .map(([contrast, name]) => name + " " + contrast.toFixed(2));
      """;

  private Contrast() {}
}
