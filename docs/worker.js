// A Worker in a hidden frame, for pages opened from a folder, where a browser allows no real one.
// The search of the site uses it; from a server it uses a real Worker.
class IFrameWorker extends EventTarget {
  constructor(url) {
    super();
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    const loaded = new Promise((done) => this.frame.addEventListener("load", done));
    this.frame.srcdoc = `<base href="${document.baseURI}"><script>
      postMessage = (data) => parent.dispatchEvent(new MessageEvent("message", { data, source: window }));
      importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise((done) => {
        const script = document.createElement("script");
        script.src = url;
        script.onload = done;
        document.head.append(script);
      })), Promise.resolve());
    </script><script src="${new URL(url, document.baseURI)}"></script>`;
    this.ready = loaded;
    document.body.append(this.frame);
    addEventListener("message", (event) => {
      if (event.source === this.frame.contentWindow) {
        const answer = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(answer);
        this.onmessage?.(answer);
      }
    });
  }

  async postMessage(data) {
    await this.ready;
    this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
  }

  terminate() {
    this.frame.remove();
  }
}

if (location.protocol === "file:") window.Worker = IFrameWorker;
