// What the scripts of the list builder find beside what every browser has.

interface Window {
  Muster: any;
  musterSystems: any[];
  musterParts: any[];
  musterWords: Record<string, any>;
}

declare class BarcodeDetector {
  constructor(options: { formats: string[] });
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
