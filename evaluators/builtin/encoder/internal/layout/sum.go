package layout

// SHA256 is the sum of the packed file that the packer makes of version 0.2.0
// of the npm package.
const SHA256 = "e7b5c8c34d980db03586034e767ae4d8188008d27a8013acdf1d8a9871258ccd"
